// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the same instructions, where an exception leaves one and ends the
// program in the other: they must not be folded.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: graupel-bolt %t.exe -o %t.all -icf=all -verify
// RUN: %t.all | FileCheck %s
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | FileCheck %s
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify
// RUN: %t.o | FileCheck %s
// CHECK: sum 6
// CHECK-NEXT: ended
#include <cstdio>
#include <cstdlib>
#include <exception>

#define NOINLINE __attribute__((noinline))

static volatile int Count;

struct Counter {
  ~Counter();
};
NOINLINE Counter::~Counter() { Count = Count + 1; }

NOINLINE void first(int N) {
  if (N == 1)
    throw N;
}
NOINLINE void second(int N) {
  if (N == 2)
    throw N;
}
static inline void quiet(int N) noexcept { second(N); }

NOINLINE static void passes(int N) {
  {
    Counter C;
    first(N);
  }
  second(N);
  Count = Count + 1;
}

NOINLINE static void ends(int N) {
  {
    Counter C;
    first(N);
  }
  quiet(N);
  Count = Count + 1;
}

static void ended() {
  printf("ended\n");
  exit(0);
}

int main() {
  std::set_terminate(ended);
  int Sum = 0;
  for (int I = 0; I < 6; ++I)
    try {
      passes(I % 3);
    } catch (int N) {
      Sum += N;
    }
  printf("sum %d\n", Sum);
  for (int I = 0; I < 6; ++I)
    try {
      ends(I % 3);
    } catch (int N) {
      Sum += N;
    }
  printf("sum %d\n", Sum);
  return 0;
}
