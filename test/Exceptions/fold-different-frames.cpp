// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cold parts of these functions are the same instructions, but in frames of
// different sizes: they must not be folded. Those of functions with the same
// frame may be.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe > %t.expected
// RUN: graupel-bolt %t.exe -o %t.all -icf=all -verify -v=1 | FileCheck %s
// CHECK: ICF folded
// RUN: %t.all | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.safe -icf=safe && %t.safe | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.hco -data=%t.gprofile -icf=all -hco -hco-growth=1000
// RUN: %t.hco | diff %t.expected -
#include <cstdio>
#include <new>

#define NOIPA __attribute__((noipa))

NOIPA void *find(long N) { return N % 7 == 3 ? nullptr : (void *)1; }
NOIPA long mix(long A, long B) { return A * 3 ^ B; }

NOIPA long none(long N) {
  void *P = find(N);
  if (!P)
    throw std::bad_alloc();
  return long(P) + mix(N, 1);
}
// The same frame as none().
NOIPA long noneAgain(long N) {
  void *P = find(N);
  if (!P)
    throw std::bad_alloc();
  return long(P) + mix(N, 2);
}
NOIPA long two(long N, long X) {
  const long A = mix(N, X), B = mix(X, N);
  void *P = find(N);
  if (!P)
    throw std::bad_alloc();
  return long(P) + mix(A, B);
}
NOIPA long four(long N, long X) {
  const long A = mix(N, X), B = mix(X, N), C = mix(X, X), D = mix(N, N);
  void *P = find(N);
  if (!P)
    throw std::bad_alloc();
  return long(P) + mix(A, B) + mix(C, D);
}

template <typename T> static long caught(T Call, long Else) {
  try {
    return Call();
  } catch (std::bad_alloc &) {
    return Else;
  }
}

int main(int Argc, char **) {
  long Sum = 0;
  for (long I = 0; I < 2000; ++I) {
    Sum += caught([&] { return none(I); }, 10);
    Sum += caught([&] { return noneAgain(I); }, 100);
    Sum += caught([&] { return two(I, Argc); }, 1000);
    Sum += caught([&] { return four(I, Argc); }, 10000);
  }
  printf("%ld\n", Sum);
  return 0;
}
