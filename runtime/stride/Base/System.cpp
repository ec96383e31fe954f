//===- stride/System.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "System.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace graupel::stride {

void *reserve(size_t Bytes) {
  void *Where = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Where == MAP_FAILED) {
    complain("no memory for %zu bytes; give the program a larger limit "
             "(ulimit -v), or run it with GRAUPEL_STRIDE=off",
             Bytes);
    die();
  }
  return Where;
}

static Lock MemoryMutex;

void lockMemory(bool Take) { Take ? MemoryMutex.lock() : MemoryMutex.unlock(); }

void *allocate(size_t Bytes) {
  static char *Next, *End;
  constexpr size_t Piece = 1 << 20;
  size_t Alignment = Bytes >= 64 ? 64 : 16;
  Guard G(MemoryMutex);
  if (Bytes > Piece / 4)
    return reserve(Bytes);
  auto Aligned = [&] {
    return reinterpret_cast<char *>(
        (reinterpret_cast<uintptr_t>(Next) + Alignment - 1) & -Alignment);
  };
  if (!Next || Aligned() + Bytes > End) {
    Next = static_cast<char *>(reserve(Piece));
    End = Next + Piece;
  }
  char *Result = Aligned();
  Next = Result + Bytes;
  return Result;
}

void complain(const char *Format, ...) {
  char Line[1024];
  int Length = snprintf(Line, sizeof(Line), "graupel stride: error: ");
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Line + Length, sizeof(Line) - Length - 1, Format, Arguments);
  va_end(Arguments);
  strcat(Line, "\n");
  [[maybe_unused]] ssize_t Written = write(STDERR_FILENO, Line, strlen(Line));
}

void die() {
  for (;;)
    syscall(SYS_exit_group, 1);
}

uint64_t hashText(const char *Text) {
  uint64_t Sum = 0xcbf29ce484222325;
  for (; *Text; ++Text)
    Sum = (Sum ^ static_cast<unsigned char>(*Text)) * 0x100000001b3;
  return Sum;
}

} // namespace graupel::stride
