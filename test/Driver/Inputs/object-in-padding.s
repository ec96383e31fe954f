# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
        .text
        .globl before
        .type before, @function
before: xorl %eax, %eax
        ret
        .size before, . - before
        .long 7

        .globl main
        .type main, @function
        .p2align 4
main:   call before
        leaq before+3(%rip), %rdx
        addl (%rdx), %eax
        subl $7, %eax
        ret
        .size main, . - main
        .section .note.GNU-stack, "", @progbits
