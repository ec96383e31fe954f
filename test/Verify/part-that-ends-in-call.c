// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a function that ends in a call that does not return, as of clang's
// -fbasic-block-sections=all: its symbol is no function's, and what is behind it
// is the linker's padding.
//
// REQUIRES: x86_64, clang
// RUN: clang -O2 -fbasic-block-sections=all %s -fuse-ld=lld -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -verify | FileCheck %s
// RUN: %t.o
// CHECK: graupel-bolt: verified
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int check(int X) {
  if (X == 12345) {
    puts("stops");
    abort();
  }
  return X;
}

__attribute__((noinline)) int next(int X, int *P) {
  if (X & 1)
    return P[X];
  return P[0];
}

int main(int argc, char **argv) {
  int P[16] = {0};
  return check(argc - 1) + next(argc, P);
}
