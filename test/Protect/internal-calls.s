# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# "call 1f; 1: pop" to learn where the code is, and what assembly counts from
# there; a subroutine inside of a function; an address taken from the middle of
# another function for comparing.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --implicit-check-not="main left"
# CHECK-DAG: here left as it is: it calls an instruction inside itself
# CHECK-DAG: inner left as it is: it calls an instruction inside itself
# CHECK-DAG: region left as it is: a code address inside it escapes
# CHECK-DAG: unrolled left as it is: it may compute jumps from differences of labels
# CHECK: 4 functions left as they are: 1 has a code address that escapes, 1 may compute jumps from differences of labels, 2 call instructions inside themselves
        .text
        .globl here
        .type here, @function
here:   callq 1f
1:      popq %rax
        leaq here(%rip), %rdx
        testl %edi, %edi
        jne 2f
        incq %rax
2:      subq %rdx, %rax
        retq
        .size here, . - here

        .globl inner
        .type inner, @function
inner:  movl %edi, %eax
        callq .Lmore
        callq .Lmore
        retq
.Lmore: leal 1(%rax,%rax), %eax
        retq
        .size inner, . - inner

# As musl's system calls that are cancellation points.
        .globl region
        .type region, @function
        .hidden regionBegin, regionEnd
        .globl regionBegin, regionEnd
region:
        movl %edi, %eax
regionBegin:
        testl %eax, %eax
        je 4f
        addl $7, %eax
regionEnd:
        retq
4:      movl $1, %eax
        retq
        .size region, . - region

# Entry into unrolled code by a computed distance.
        .globl unrolled
        .type unrolled, @function
unrolled:
        leaq .Lend(%rip), %rdx
        leaq (%rdi,%rdi,2), %rcx
        subq %rcx, %rdx
        xorl %eax, %eax
        cmpl $4, %edi
        ja .Lend
        jmpq *%rdx
        .rept 4
        addl $5, %eax
        .endr
.Lend:  retq
        .size unrolled, . - unrolled

        .globl main
        .type main, @function
main:   pushq %rbx
        xorl %edi, %edi
        callq here
        movl %eax, %ebx
        movl $1, %edi
        callq here
        addl %eax, %ebx
        movl $3, %edi
        callq inner
        addl %eax, %ebx
        movl $5, %edi
        callq region
        addl %eax, %ebx
        leaq regionEnd(%rip), %rax
        leaq regionBegin(%rip), %rdx
        subq %rdx, %rax
        addl %eax, %ebx
        movl $3, %edi
        callq unrolled
        addl %eax, %ebx
        movl $5, %edi
        callq unrolled
        addl %eax, %ebx
        xorl %eax, %eax
        cmpl $(6 + 5 + 15 + 12 + 7 + 15), %ebx
        setne %al
        popq %rbx
        retq
        .size main, . - main
        .section .note.GNU-stack, "", @progbits
