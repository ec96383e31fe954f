# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tables of functions as distances: from each entry, from the table's beginning,
# from the GOT. BOLT does not update them, so their functions stay.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected -use-old-text=0 | FileCheck %s --implicit-check-not="main left" --implicit-check-not="whole left"
# CHECK-DAG: one{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: two{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: three{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: four{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: five{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: six{{.*}} left as it is: a number that is never updated leads to it
# CHECK: functions left as they are: {{[67]}} are led to by numbers that are never updated
        .text
        .macro function name, value
        .type \name, @function
\name:
        leal \value(%rdi,%rdi), %eax
        retq
        .size \name, . - \name
        .p2align 4
        .endm
        function one, 1
        function two, 2
        function three, 4
        function four, 8
        function five, 16
        function six, 32
        function whole, 64

        .globl main
        .type main, @function
main:   pushq %rbx
        pushq %rbp
        xorl %edi, %edi
        leaq Itself(%rip), %rdx
        movslq (%rdx), %rax
        addq %rdx, %rax
        callq *%rax
        movl %eax, %ebx
        leaq Itself+4(%rip), %rdx
        movslq (%rdx), %rax
        addq %rdx, %rax
        callq *%rax
        addl %eax, %ebx
        leaq Beginning(%rip), %rbp
        movslq (%rbp), %rax
        addq %rbp, %rax
        callq *%rax
        addl %eax, %ebx
        movslq 4(%rbp), %rax
        addq %rbp, %rax
        callq *%rax
        addl %eax, %ebx
        leaq Far(%rip), %rax
        addq (%rax), %rax
        callq *%rax
        addl %eax, %ebx
        leaq _GLOBAL_OFFSET_TABLE_(%rip), %rdx
        movabsq $six@GOTOFF, %rax
        addq %rdx, %rax
        callq *%rax
        addl %eax, %ebx
        leaq Whole(%rip), %rax
        callq *(%rax)
        addl %eax, %ebx
        xorl %eax, %eax
        cmpl $127, %ebx
        setne %al
        popq %rbp
        popq %rbx
        retq
        .size main, . - main

        .section .rodata
        .p2align 3
Itself: .long one - ., two - .
        .p2align 4
        .quad 0
Beginning:
        .long three - Beginning, four - Beginning
        .p2align 4
Far:    .quad five - .
        .section .data.rel.ro, "aw"
        .p2align 3
Whole:  .quad whole
        .section .note.GNU-stack, "", @progbits
