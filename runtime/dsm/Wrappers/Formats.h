//===- Formats.h - Formats of printf and scanf ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_FORMATS_H
#define GRAUPEL_DSM_WRAPPERS_FORMATS_H

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <wchar.h>

namespace graupel::dsm {

/// The length modifier of a conversion.
enum class Length { Char, Short, None, Long, LongDouble };

/// A place in a format, and the small things found there.
class Cursor {
public:
  explicit Cursor(const char *At) : At(At) {}
  const char *at() const { return At; }
  char peek() const { return *At; }
  bool take(char C) {
    if (*At != C)
      return false;
    ++At;
    return true;
  }
  void skip(const char *Set) { At += strspn(At, Set); }
  void skip() { ++At; }

  /// Digits; -1 if there are none.
  int number() {
    if (*At < '0' || *At > '9')
      return -1;
    long Value = 0;
    for (; *At >= '0' && *At <= '9'; ++At)
      if (Value < 1 << 20)
        Value = Value * 10 + (*At - '0');
    return static_cast<int>(Value);
  }
  /// "digits$"; 0 if it is not there.
  int position() {
    const char *Start = At;
    int Value = number();
    if (Value > 0 && take('$'))
      return Value;
    At = Start;
    return 0;
  }
  Length length() {
    Length L = Length::None;
    for (;; ++At)
      switch (*At) {
      case 'h':
        L = L == Length::Short ? Length::Char : Length::Short;
        continue;
      case 'l':
      case 'j':
      case 'z':
      case 'Z':
      case 't':
      case 'q':
        L = Length::Long;
        continue;
      case 'L':
        L = Length::LongDouble;
        continue;
      default:
        return L;
      }
  }

private:
  const char *At;
};

/// The size of an integer with that modifier; L is taken for ll.
inline size_t integerBytes(Length L) {
  return L == Length::Char    ? 1
         : L == Length::Short ? 2
         : L == Length::None  ? 4
                              : 8;
}

/// More arguments than the C library itself can name.
constexpr unsigned MaxArguments = 4096;

/// A va_list of arguments that lie one after the other, as they do on the stack
/// when registers are used up (System V ABI, x86-64).
class ArgumentList {
public:
  explicit ArgumentList(void *Slots) {
    static_assert(sizeof(Layout) == sizeof(va_list));
    Layout L = {48, 176, Slots, nullptr};
    memcpy(&List, &L, sizeof(L));
  }
  va_list &get() { return List; }

private:
  struct Layout {
    unsigned GeneralOffset, VectorOffset;
    void *Overflow, *Registers;
  };
  va_list List;
};

} // namespace graupel::dsm

/// Defines graupel_dsm_NAME, with variable arguments behind Format, by the
/// function that has a list of them.
#define GRAUPEL_FORMATTED(Name, VName, Parameters, ...)                        \
  extern "C" int graupel_dsm_##Name Parameters {                               \
    va_list L;                                                                 \
    va_start(L, Format);                                                       \
    int Result = graupel_dsm_##VName(__VA_ARGS__, Format, L);                  \
    va_end(L);                                                                 \
    return Result;                                                             \
  }

#endif
