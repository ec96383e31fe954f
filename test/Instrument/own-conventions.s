# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly that knows what its callees leave alone: a value in %r11, in %rax and
# in %xmm0 lives across the call of a function that calls by a register, by a
# place on the stack and by one in memory.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -verify -o %t.counted -instrumentation-file=%t.gprofile
# RUN: %t.counted
# RUN: %counts %t.gprofile leaf=300 calls=100
# What is read behind the call is a result, also of whom the callee calls.
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-growth=1000 -verify -o %t.hot && %t.hot
# RUN: graupel-bolt %t -instrument -atomic -o %t.locked -instrumentation-file=%t.locked.gprofile
# RUN: %t.locked
        .text
        .globl leaf
        .type leaf, @function
leaf:   incq %r10
        ret
        .size leaf, . - leaf

        .globl calls
        .type calls, @function
calls:  leaq leaf(%rip), %rcx
        pushq %rcx
        call *%rcx
        call *(%rsp)
        call *pointer(%rip)
        popq %rcx
        ret
        .size calls, . - calls

        .globl main
        .type main, @function
main:   pushq %rbx
        movl $100, %ebx
        xorl %r10d, %r10d
1:      leaq 5(%rbx), %r11
        leaq 7(%rbx), %rax
        movq %rax, %xmm0
        call calls
        subq %rbx, %r11
        subq %rbx, %rax
        cmpq $5, %r11
        jne 2f
        cmpq $7, %rax
        jne 2f
        movq %xmm0, %rax
        subq %rbx, %rax
        cmpq $7, %rax
        jne 2f
        decl %ebx
        jne 1b
        xorl %eax, %eax
        cmpq $300, %r10
        je 3f
2:      movl $1, %eax
3:      popq %rbx
        ret
        .size main, . - main

        .data
        .p2align 3
pointer: .quad leaf
        .section .note.GNU-stack, "", @progbits
