// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a program that is not PIE, what a weak function is that nobody has is the
// number 0. The startup code of each such program jumps there, if it is another.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -no-pie -fno-pie %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.out -verify -v=1 | FileCheck %s
// CHECK: optimized {{([0-9]+) of \1}} functions
// RUN: %t.out
int main(void) { return 0; }
