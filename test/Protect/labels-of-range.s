# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Labels at the beginning of a function, in its middle and at its end, whose
# addresses are compared with that of an interrupted instruction. They tell where
# the range ends: what follows is no part of it.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe && %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s --implicit-check-not="next left" --implicit-check-not="main left"
# CHECK-DAG: ranged{{.*}} left as it is
# CHECK-DAG: end{{.*}} left as it is
# CHECK-DAG: cancel{{.*}} left as it is: it is an element of an array of code
# RUN: %t.o
        .text
        .globl main
        .type main, @function
main:   leaq begin(%rip), %rax
        leaq end(%rip), %rcx
        subq %rax, %rcx
        cmpq $4, %rcx
        jne 1f
        leaq cancel(%rip), %rdx
        subq %rax, %rdx
        cmpq $7, %rdx
        jne 1f
        xorl %edi, %edi
        callq ranged
        movl %eax, %edi
        callq next
        retq
1:      movl $1, %eax
        retq
        .size main, . - main

        .p2align 4
        .globl begin
        .globl end
        .globl cancel
        .globl ranged
        .type ranged, @function
begin:
ranged: testl %edi, %edi
        jne cancel
end:    movl %edi, %eax
        retq
cancel: movl $1, %eax
        retq

        .p2align 4
        .globl next
        .type next, @function
next:   movl %edi, %eax
        retq
        .size next, . - next
        .section .note.GNU-stack, "", @progbits
