// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two indirect functions with one resolver have a stub each. BOLT names stubs
// by their resolvers and took one for the other, so that a pointer was not
// equal to its function any more.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} = -no-pie
// DEFINE: %{run} = gcc -O2 -Wl,--emit-relocs %{flags} %s -o %t && %t > %t.before && graupel-bolt %t -o %t.o -verify && %t.o | diff %t.before - && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i | diff %t.before -
// RUN: %{run}
// REDEFINE: %{flags} = -pie
// RUN: %{run}
// REDEFINE: %{flags} = -static
// RUN: %{run}
#include <stdio.h>

static int triple(int X) { return X * 3; }
static void *resolve(void) { return triple; }
int first(int) __attribute__((ifunc("resolve")));
int second(int) __attribute__((ifunc("resolve")));
int (*FirstPointer)(int) = first;
int (*SecondPointer)(int) = second;

int main(void) {
  printf("%d %d %d\n", FirstPointer == first, SecondPointer == second,
         FirstPointer == second);
  printf("%d\n", first(1) + second(2));
  return 0;
}
