// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, mold
// The first entry of mold's PLT has 32 bytes. Read in steps of 16, the second
// begins inside the distance to the GOT, here 6 * 64 KiB and a bit: its upper half
// is no instruction.
//
// RUN: gcc -O1 %s -B%mold -Wl,--emit-relocs -Wl,-z,lazy -o %t
// RUN: llvm-objdump -d --section=.plt %t | FileCheck %s
// CHECK: ff 25 {{.. ..}} 06 00 {{ *}}jmpq *0x6
// RUN: graupel-bolt %t -verify -o %t.plain && %t.plain | FileCheck %s -check-prefix OUTPUT
// RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -instrumentation-file=%t.gprofile -o %t.i
// RUN: %t.i | FileCheck %s -check-prefix OUTPUT
// RUN: graupel-bolt %t -data=%t.gprofile -plt=all -verify -o %t.faster
// RUN: %t.faster | FileCheck %s -check-prefix OUTPUT
// OUTPUT: seven is 7

#include <stdio.h>
#include <stdlib.h>

asm(".text\n\t.fill 0x60000, 1, 0xcc");

int main(void) {
  printf("seven is %d\n", abs(atoi("-7")));
  return 0;
}
