// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that count from a function to far behind it, where nothing is or
// where another function is: the function stays, so the program may count back.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe && %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected -verify | FileCheck %s
// RUN: %t.o
// RUN: rm -f %t.gprofile && graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i
// RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -hco -verify && %t.p
// RUN: gcc -O2 -no-pie -Wl,--emit-relocs %s -o %t.exe && %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected -verify | FileCheck %s
// RUN: %t.o
//
// CHECK-DAG: first left as it is: data beside it may be found by its address
// CHECK-DAG: second left as it is: it is an element of an array of code
// CHECK-DAG: far left as it is: data beside it may be found by its address
#include <stdint.h>

asm(".text; .balign 64\n"
    ".globl first; .type first, @function\n"
    "first: lea 1(%rdi), %eax; ret\n"
    ".balign 16; .size first, 4\n"
    ".globl second; .type second, @function\n"
    "second: lea 2(%rdi), %eax; ret\n"
    ".size second, . - second\n");

typedef int Function(int);
int first(int), second(int);
__attribute__((noinline)) int far(int X) { return X * 3; }

static char *volatile Behind = (char *)first + 16; // Where second() is.
static char *volatile Nowhere = (char *)far + 0x10000000;
static char *volatile Before = (char *)far - 8;

static Function *volatile Called;

static int call(char *Address, int X) {
  Called = (Function *)Address;
  return Called(X);
}

int main(void) {
  return call(Behind - 16, 1) != 2 || second(1) != 3 ||
         call(Nowhere - 0x10000000, 5) != 15 || call(Before + 8, 6) != 18;
}
