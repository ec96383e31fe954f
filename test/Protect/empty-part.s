# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is never reached leads to an empty cold part, where that of another function
# begins, and runs on into a third one's: CPython's interpreter is such a function.
# The part is not the first one's, and no control runs into the third, as the frames
# say. All are optimized.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: graupel-bolt %t -o %t.o -print-protected -verify 2>&1 | FileCheck %s --implicit-check-not="left as it is" --implicit-check-not="as a fragment of empty"
# CHECK: optimized [[N:[0-9]+]] of [[N]] functions
# RUN: %t.o
# RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
# RUN: graupel-bolt %t -o %t.p -data=%t.gprofile -verify && %t.p
# RUN: graupel-bolt %t -o %t.s -stress-layout=7 -verify && %t.s
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
# SYMBOLS: interpret
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        subq $8, %rsp
        .cfi_def_cfa_offset 16
        movl $2, %edi
        callq empty
        movl %eax, %edi
        callq interpret
        movl %eax, %edi
        callq third
        addq $8, %rsp
        .cfi_def_cfa_offset 8
        cmpl $10, %eax
        setne %al
        movzbl %al, %eax
        retq
        .cfi_endproc
        .size main, . - main

        .type empty, @function
empty:
        .cfi_startproc
        cmpl $9, %edi
        ja empty.cold
        leal 1(%rdi), %eax
        retq
        .cfi_endproc
        .size empty, . - empty

        .type interpret, @function
interpret:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        subq $16, %rsp
        .cfi_def_cfa_offset 32
        movl %edi, %ebx
        cmpl $100, %edi
        ja interpret.cold
        movl %ebx, %eax
        cmpl $4, %edi
        ja .Ldone
        movl %edi, %ecx
        leaq .Ltable(%rip), %rdx
        movslq (%rdx,%rcx,4), %rcx
        addq %rdx, %rcx
        jmpq *%rcx
.Lone:
        addl $1, %eax
        jmp .Ldone
.Ltwo:
        addl $2, %eax
.Ldone:
        addq $16, %rsp
        .cfi_def_cfa_offset 16
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size interpret, . - interpret

        .type third, @function
third:
        .cfi_startproc
        subq $40, %rsp
        .cfi_def_cfa_offset 48
        cmpl $100, %edi
        ja third.cold
        leal 5(%rdi), %eax
        addq $40, %rsp
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size third, . - third

        .section .text.unlikely,"ax",@progbits
        .type empty.cold, @function
empty.cold:
        .size empty.cold, 0
        .type interpret.cold, @function
interpret.cold:
        .cfi_startproc
        .cfi_def_cfa_offset 32
        .cfi_offset %rbx, -16
        movq %r14, 8(%rsp)
        .cfi_endproc
        .size interpret.cold, . - interpret.cold
        .type third.cold, @function
third.cold:
        .cfi_startproc
        .cfi_def_cfa_offset 48
        callq abort@PLT
        .cfi_endproc
        .size third.cold, . - third.cold

        .section .rodata
        .p2align 2
.Ltable:
        .long .Lone - .Ltable
        .long .Ltwo - .Ltable
        .long .Ltwo - .Ltable
        .long .Ltwo - .Ltable
        .long interpret.cold - .Ltable
        .section .note.GNU-stack,"",@progbits
