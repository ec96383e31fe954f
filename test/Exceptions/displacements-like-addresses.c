// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that register .eh_frame have references to it moved, in code that stays by
// its bytes. At low addresses a displacement is a number like an address of .eh_frame:
// it must stay what it is.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -no-pie -static -Wl,-q -Wl,-Ttext-segment=0x10000 %s -o %t && %t
// RUN: graupel-bolt %t -o %t.o -verify && %t.o
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
// RUN: graupel-bolt %t -o %t.p -data=%t.gprofile -verify && %t.p
// RUN: graupel-bolt %t -o %t.n -layout=none -verify && %t.n
#include <stdlib.h>

char Room[0x20000];

// It stays: nothing leads to what is behind the trap.
void store(void);
__asm__(".text\n"
        ".globl store\n"
        ".type store,@function\n"
        "store:\n"
        ".cfi_startproc\n"
        "  testl %eax, %eax\n"
        "  js 1f\n"
        ".set Offset, 0\n"
        ".rept 1024\n"
        "  movl $7, Room+Offset(%rip)\n"
        "  .set Offset, Offset + 128\n"
        ".endr\n"
        "  ret\n"
        "1: hlt\n"
        "  incl %eax\n"
        "  ret\n"
        ".cfi_endproc\n"
        ".size store, .-store\n");

int main(void) {
  store();
  for (int I = 0; I < 1024; ++I)
    if (*(int *)(Room + 128 * I) != 7)
      return 1;
  return 0;
}
