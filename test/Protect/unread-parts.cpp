// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with data among its instructions stays. So must its cold part: the
// function jumps into the middle of it (a landing pad), and what is thrown on
// from there has to find an unwind record.
//
// REQUIRES: x86_64, g++
// RUN: g++ -O2 %s -o %t.exe -Wl,--emit-relocs
// RUN: %t.exe > %t.before
// RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
// RUN: %t.o | diff %t.before -
// CHECK: _Z5countiPi.cold/1{{.*}} left as it is: it belongs to a function that cannot be read
// RUN: graupel-bolt %t.exe -o %t.i -verify -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.p -verify -data=%t.gprofile
// RUN: %t.p | diff %t.before -
//
// What is a jump only if the data is not read as one: it leads into itself.
// RUN: g++ -O2 -DSWALLOWS %s -o %t.exe -Wl,--emit-relocs
// RUN: %t.exe > %t.before
// RUN: graupel-bolt %t.exe -o %t.o -verify
// RUN: %t.o | diff %t.before -

#include <cstdio>

#ifdef SWALLOWS
#define DATA "0x0f, 0x0b, 0xe8" // The call swallows where the jump leads.
#else
#define DATA "0x06"
#endif

struct Guard {
  int &N;
  ~Guard() { N--; }
};

__attribute__((noinline)) int thrower(int X) {
  if (X % 3 == 1)
    throw X;
  return X + 1;
}

__attribute__((noinline)) int count(int X, int *N) {
  Guard G{*N};
  ++*N;
  asm volatile("jmp 8f; .byte " DATA "; 8:" : "+r"(X));
  if (X == 5)
    throw 7;
  return thrower(X) + 5;
}

int main() {
  int Sum = 0, N = 0;
  for (int I = 0; I < 100; I++)
    try {
      Sum += count(I, &N);
    } catch (int E) {
      Sum ^= E;
    }
  printf("%d %d\n", Sum, N);
}
