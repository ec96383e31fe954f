// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data that holds the addresses behind calls, by which a garbage collector finds
// what lives in the frame: OCaml's frame table. No counter may come between
// the call and that address, and no other block.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --must-split 0 --train "1" --test "1" --test "0" --flags="-O2" --flags="-O2 -no-pie"
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK: GRAUPEL-INFO: allocate left as it is: data holds the addresses behind its calls
// CHECK: GRAUPEL-INFO: 1 function left as it is: 1 has return addresses that are in data
//
// Without relocations it is not known what is behind a call.
// RUN: gcc -O2 -no-pie %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=BARE
// BARE: GRAUPEL-INFO: allocate left as it is: data holds the address of an instruction in it
#include <stdio.h>
#include <stdlib.h>

extern void *const FrameTable[4];
static int Unknown, Known;

__attribute__((used)) void collect(const void *ReturnAddress) {
  for (int I = 0; I < 4; ++I)
    if (FrameTable[I] == ReturnAddress) {
      ++Known;
      return;
    }
  ++Unknown;
}

long allocate(long N);
__asm__(".text\n"
        "  .globl collectFromHere\n  .type collectFromHere, @function\n"
        "collectFromHere:\n"
        "  movq (%rsp), %rdi\n  jmp collect\n"
        "  .size collectFromHere, . - collectFromHere\n"
        "  .globl allocate\n  .type allocate, @function\n"
        "allocate:\n"
        "  pushq %rbx\n  movq %rdi, %rbx\n"
        "  testb $3, %dil\n  je 2f\n"
        "  testb $4, %dil\n  je 3f\n"
        "1: leaq 7(%rbx), %rax\n  popq %rbx\n  retq\n"
        "2: callq collectFromHere\n"
        ".Lfirst: addq $2, %rbx\n  jmp 1b\n"
        "3: callq collectFromHere\n"
        ".Lsecond: jmp 1b\n"
        "  .size allocate, . - allocate\n"
        "  .section .data.rel.ro, \"aw\"\n  .balign 8\n"
        "  .globl FrameTable\n"
        "FrameTable: .quad .Lfirst, 24, .Lsecond, 0\n"
        "  .text");

int main(int Argc, char **Argv) {
  long Sum = 0;
  for (long I = 0; I < 10000; ++I)
    Sum += allocate(Argv[1][0] == '1' ? I : I | 5);
  printf("%ld %d %d\n", Sum, Known, Unknown);
  return Unknown != 0;
}
