// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mold pads code with zeros, which are instructions. Startup code without a size goes
// as far as them, and does not run into the program's first function.
//
// REQUIRES: x86_64, gcc, mold
// RUN: gcc -O2 -static %s -fuse-ld=mold -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -o %t.o -print-protected -verify | FileCheck %s --allow-empty
// RUN: %t.o
// CHECK-NOT: {{(frame_dummy|first).*}}control runs
__attribute__((noinline)) int first(int A) { return A > 3 ? A * 5 : A - 1; }
int main(int Argc, char **Argv) { return first(Argc); }
