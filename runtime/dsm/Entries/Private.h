//===- Private.h - Private copies of a call's arguments ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For functions that the C library has to do itself: it gets private copies of
// what is shared, and pointers to anything else as they are. Copies live until
// the end of the call's full expression, which writes back what the library may
// have changed; errno is what the library left.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ENTRIES_PRIVATE_H
#define GRAUPEL_DSM_ENTRIES_PRIVATE_H

#include "Pieces.h"
#include "graupel/dsm_wrappers.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <type_traits>

namespace graupel::dsm {

/// Memory for a copy; the program ends with a message if there is none, for
/// most functions have no way to say so.
inline void *privateMemory(size_t Bytes) {
  void *P = malloc(Bytes ? Bytes : 1);
  if (!P) {
    fputs(
        "graupel dsm: error: no memory left for a private copy of an argument "
        "of the C library; use less memory on this node\n",
        stderr);
    _Exit(1);
  }
  return P;
}

/// A string that is only read.
class String {
public:
  String(const char *S) : Given(S) {
    if (!isShared(S)) [[likely]]
      return;
    size_t Length = graupel_dsm_strlen(S);
    Copy = static_cast<char *>(privateMemory(Length + 1));
    graupel_dsm_memcpy(Copy, S, Length);
    // It may have changed meanwhile.
    Copy[Length] = 0;
  }
  ~String() { free(Copy); }
  String(const String &) = delete;
  String &operator=(const String &) = delete;
  operator const char *() const { return Copy ? Copy : Given; }
  const char *get() const { return *this; }

  /// A pointer into the copy as one into what was given.
  template <class T> T *back(T *P) const {
    return P && Copy ? const_cast<T *>(Given) + (P - Copy) : P;
  }

private:
  const char *Given;
  char *Copy = nullptr;
};

/// Count objects of type T that the library reads, and writes unless T is
/// const.
template <class T> class Objects {
public:
  Objects(T *P, size_t Count) : Given(P), Bytes(Count * sizeof(T)) {
    if (!isShared(P) || !Bytes) [[likely]]
      return;
    Copy = Bytes <= sizeof(Small) ? Small : privateMemory(Bytes);
    graupel_dsm_memcpy(Copy, P, Bytes);
  }
  ~Objects() {
    if constexpr (!std::is_const_v<T>)
      if (Copy)
        graupel_dsm_memcpy(Given, Copy, Bytes);
    if (Copy && Copy != Small)
      free(Copy);
  }
  Objects(const Objects &) = delete;
  Objects &operator=(const Objects &) = delete;
  operator T *() const { return Copy ? static_cast<T *>(Copy) : Given; }
  T *get() const { return *this; }
  /// The bytes of a socket's address as one.
  auto *address() const {
    return reinterpret_cast<
        std::conditional_t<std::is_const_v<T>, const sockaddr, sockaddr> *>(
        get());
  }

private:
  T *Given;
  size_t Bytes;
  void *Copy = nullptr;
  alignas(16) char Small[512];
};

inline char *asBytes(void *P) { return static_cast<char *>(P); }
inline const char *asBytes(const void *P) {
  return static_cast<const char *>(P);
}

template <class T> class Object : public Objects<T> {
public:
  explicit Object(T *P) : Objects<T>(P, 1) {}
};
template <class T> Object(T *) -> Object<T>;

/// Function(S, End, Others...), which stores where in S what it read ended.
/// Text is String, or another of its kind.
template <class Text, class F, class Char, class... More>
auto convert(F Function, const Char *S, Char **End, More... Others) {
  Text Private(S);
  Char *Stop;
  auto Result = Function(Private, &Stop, Others...);
  if (End)
    *Object<Char *>(End).get() = Private.back(Stop);
  return Result;
}

} // namespace graupel::dsm

/// Defines graupel_dsm_NAME as the C library's function on private copies.
#define GRAUPEL_WRAP(Result, Name, Parameters, ...)                            \
  extern "C" __attribute__((                                                   \
      visibility("default"))) Result graupel_dsm_##Name Parameters {           \
    return Name(__VA_ARGS__);                                                  \
  }

#endif
