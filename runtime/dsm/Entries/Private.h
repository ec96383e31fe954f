//===- Private.h - Private copies of a call's arguments ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For functions that the C library has to do itself: it gets private copies of
// what is shared, and pointers to anything else as they are. Copies live until
// the end of the call's full expression, which writes back what the library has
// changed; errno is what the library left.
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
inline void *privateMemory(size_t Bytes, size_t Alignment = 16) {
  void *P = Alignment > 16
                ? aligned_alloc(Alignment, (Bytes + Alignment - 1) & -Alignment)
                : malloc(Bytes ? Bytes : 1);
  if (!P) {
    fputs(
        "graupel dsm: error: no memory left for a private copy of an argument "
        "of the C library; use less memory on this node\n",
        stderr);
    _Exit(1);
  }
  return P;
}

/// A string that is only read, or what it has in its first Most bytes.
class String {
public:
  String(const char *S, size_t Most = SIZE_MAX) : Given(S) {
    if (!isShared(S)) [[likely]]
      return;
    size_t Length = graupel_dsm_strnlen(S, Most);
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

/// Count objects of type T, with private memory in their place if they are
/// shared.
template <class T> class Replaced {
public:
  ~Replaced() {
    if (Copy && Copy != Small)
      free(Copy);
  }
  Replaced(const Replaced &) = delete;
  Replaced &operator=(const Replaced &) = delete;
  operator T *() const { return Copy ? reinterpret_cast<T *>(Copy) : Given; }
  T *get() const { return *this; }
  /// The bytes of a socket's address as one.
  auto *address() const {
    return reinterpret_cast<
        std::conditional_t<std::is_const_v<T>, const sockaddr, sockaddr> *>(
        get());
  }

protected:
  Replaced(T *P, size_t Count) : Given(P), Bytes(Count * sizeof(T)) {}
  bool isNeeded() const { return isShared(Given) && Bytes; }
  void allocate(size_t Room) {
    Copy = Room <= sizeof(Small) ? Small
                                 : static_cast<char *>(privateMemory(Room));
  }

  T *Given;
  size_t Bytes;
  char *Copy = nullptr;

private:
  alignas(16) char Small[512];
};

/// Objects that the library reads, and writes unless T is const. Only changed
/// parts are written back: others may store beside them meanwhile.
template <class T> class Objects : public Replaced<T> {
public:
  Objects(T *P, size_t Count) : Replaced<T>(P, Count) {
    if (!this->isNeeded()) [[likely]]
      return;
    this->allocate(Writes ? 2 * this->Bytes : this->Bytes);
    graupel_dsm_memcpy(this->Copy, P, this->Bytes);
    if constexpr (Writes)
      memcpy(this->Copy + this->Bytes, this->Copy, this->Bytes);
  }
  ~Objects() {
    if constexpr (Writes)
      if (this->Copy)
        giveBack(reinterpret_cast<char *>(this->Given), this->Copy,
                 this->Copy + this->Bytes, this->Bytes);
  }

private:
  static constexpr bool Writes = !std::is_const_v<T>;
  /// Number of bytes that one store changes.
  static constexpr size_t Unit = std::is_scalar_v<T> ? sizeof(T) : 1;

  static void giveBack(char *To, const char *Now, const char *Was,
                       size_t Size) {
    auto IsSame = [=](size_t I) { return !memcmp(Now + I, Was + I, Unit); };
    if (!memcmp(Now, Was, Size))
      return;
    for (size_t I = 0, Start; I != Size;) {
      for (; I != Size && IsSame(I); I += Unit)
        ;
      for (Start = I; I != Size && !IsSame(I); I += Unit)
        ;
      graupel_dsm_memcpy(To + Start, Now + Start, I - Start);
    }
  }
};

/// Objects that the library only stores. Nothing is written back but what the
/// call says by stored(): a call that blocks stores at its end, whatever others
/// stored while it waited.
template <class T> class Results : public Replaced<T> {
public:
  explicit Results(T *P, size_t Count = 1) : Replaced<T>(P, Count) {
    if (this->isNeeded()) [[unlikely]]
      this->allocate(this->Bytes);
  }
  /// The first of them.
  void stored(size_t Count) {
    if (this->Copy)
      graupel_dsm_memcpy(this->Given, this->Copy,
                         std::min(Count * sizeof(T), this->Bytes));
  }
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

} // namespace graupel::dsm

/// Defines graupel_dsm_NAME as the C library's function on private copies.
#define GRAUPEL_WRAP(Result, Name, Parameters, ...)                            \
  extern "C" __attribute__((                                                   \
      visibility("default"))) Result graupel_dsm_##Name Parameters {           \
    return Name(__VA_ARGS__);                                                  \
  }

#endif
