# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tables of functions as distances: behind the number of entries, with a tag in
# some entries, behind another table, with numbers between the entries, and in a
# section of their own. BOLT does not update them, so their functions stay.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected -use-old-text=0 | FileCheck %s
# CHECK-DAG: f1/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f2/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f3/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f4/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f5/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f6/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f7/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f8/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f9/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f10/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f11/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f12/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f13/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f14/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f15/{{.*}} left as it is: a number that is never updated leads to it
# CHECK-DAG: f16/{{.*}} left as it is: a number that is never updated leads to it
        .text
        .macro function name, value
        .type \name, @function
\name:
        leal \value(%rdi,%rdi), %eax
        xorl $\value, %eax
        retq
        .size \name, . - \name
        .p2align 4
        .endm
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
        function f\n, \n
        .endr
        function whole, 64

# Adds what the function returns whose distance from %rdx is at %rcx.
        .macro try
        movslq (%rcx), %rax
        addq %rdx, %rax
        andq $-4, %rax
        movl $5, %edi
        callq *%rax
        imull $31, %ebx, %ebx
        addl %eax, %ebx
        .endm

        .globl main
        .type main, @function
main:   pushq %rbx
        xorl %ebx, %ebx
        .irp n, 0, 1, 2, 3
        leaq Counted(%rip), %rdx
        leaq 4+4*\n(%rdx), %rcx
        try
        leaq Tagged+4*\n(%rip), %rcx
        movq %rcx, %rdx
        try
        .endr
        .irp n, 0, 1
        leaq First(%rip), %rdx
        leaq 4*\n(%rdx), %rcx
        try
        leaq Second(%rip), %rdx
        leaq 4*\n(%rdx), %rcx
        try
        leaq Rows(%rip), %rdx
        leaq 4+8*\n(%rdx), %rcx
        try
        leaq Own(%rip), %rdx
        leaq 32+4*\n(%rdx), %rcx
        try
        .endr
        leaq Whole(%rip), %rax
        callq *(%rax)
        imull $31, %ebx, %ebx
        leaq format(%rip), %rdi
        movl %ebx, %esi
        xorl %eax, %eax
        callq printf@PLT
        xorl %eax, %eax
        popq %rbx
        retq
        .size main, . - main

        .section .rodata
format: .asciz "%u\n"
        .p2align 3
Counted:
        .long 4, f1 - Counted, f2 - Counted, f3 - Counted, f4 - Counted
        .p2align 4
        .quad 0
Tagged: .long f5 - ., f6 - . + 1, f7 - . + 2, f8 - .
        .p2align 4
        .quad 0
First:  .long f9 - First, f10 - First
Second: .long f11 - Second, f12 - Second
        .p2align 4
        .quad 0
Rows:   .long 7, f13 - Rows, 8, f14 - Rows
        .section table_of_own, "a"
        .p2align 3
Own:    .skip 32
        .long f15 - Own, f16 - Own
        .section .data.rel.ro, "aw"
        .p2align 3
Whole:  .quad whole
        .section .note.GNU-stack, "", @progbits
