//===- profile/Text.h - Strings and memory without a C library --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_TEXT_H
#define GRAUPEL_PROFILE_TEXT_H

#include <stddef.h>
#include <stdint.h>

namespace graupel {

inline size_t length(const char *Text) {
  size_t N = 0;
  while (Text[N])
    ++N;
  return N;
}

inline bool sameBytes(const void *A, const void *B, size_t Size) {
  const auto *X = static_cast<const char *>(A);
  const auto *Y = static_cast<const char *>(B);
  for (size_t I = 0; I < Size; ++I)
    if (X[I] != Y[I])
      return false;
  return true;
}

inline bool sameText(const char *A, const char *B) {
  while (*A && *A == *B)
    ++A, ++B;
  return *A == *B;
}

inline void copyBytes(void *To, const void *From, size_t Size) {
  asm volatile("rep movsb" : "+D"(To), "+S"(From), "+c"(Size) : : "memory");
}

/// Text of limited size; text that does not fit sets overflowed().
class TextWriter {
public:
  TextWriter(char *Buffer, size_t Capacity, size_t Length = 0)
      : Buffer(Buffer), Capacity(Capacity), Length(Length) {
    Buffer[Length] = 0;
  }

  void put(char C) {
    if (Length + 1 >= Capacity) {
      Overflow = true;
      return;
    }
    Buffer[Length++] = C;
    Buffer[Length] = 0;
  }
  void put(const char *Text) {
    while (*Text)
      put(*Text++);
  }
  void putDecimal(uint64_t Value) {
    uint64_t Unit = 1;
    while (Value / Unit >= 10)
      Unit *= 10;
    for (; Unit; Unit /= 10)
      put(static_cast<char>('0' + Value / Unit % 10));
  }
  void putHex16(uint64_t Value) {
    for (int Shift = 60; Shift >= 0; Shift -= 4) {
      unsigned Digit = Value >> Shift & 15;
      put(static_cast<char>(Digit < 10 ? '0' + Digit : 'a' + Digit - 10));
    }
  }

  size_t length() const { return Length; }
  bool overflowed() const { return Overflow; }

private:
  char *Buffer;
  size_t Capacity;
  size_t Length;
  bool Overflow = false;
};

} // namespace graupel

#endif // GRAUPEL_PROFILE_TEXT_H
