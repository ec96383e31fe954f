# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Pieces of code of one size, entered at an address that is computed from that of
# the function: no branch that can be read leads to them. Removed as unreachable,
# they would be missing, and any instruction that is added moves them.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: %t
# RUN: graupel-bolt %t -o %t.plain -verify -print-protected | FileCheck %s --implicit-check-not="main left" --implicit-check-not="traps left"
# CHECK: pieces left as it is: no known jump leads to some of its code
# CHECK: 1 function left as it is: 1 has code that no known jump leads to
# RUN: %t.plain
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.counted -instrument -instrumentation-file=%t.gprofile
# RUN: %t.counted
# RUN: graupel-bolt %t -o %t.hot -data=%t.gprofile -hco -hco-growth=1000 && %t.hot
        .text
        .globl pieces
        .type pieces, @function
        .p2align 4
# Three pieces of 16 bytes behind the first, each with a result
# of its own.
pieces: leaq pieces(%rip), %r8
        shll $4, %edi
        addq %rdi, %r8
        call *%r8
        ret
        .p2align 4
        movl $10, %eax
        ret
        .p2align 4
        movl $20, %eax
        ret
        .p2align 4
        movl $30, %eax
        ret
        .size pieces, . - pieces

# What compilers put where control does not come is no such code.
        .globl traps
        .type traps, @function
traps:  movl $1, %eax
        ret
        ud2
        nop
        int3
        .size traps, . - traps

        .globl main
        .type main, @function
main:   pushq %rbx
        movl $2, %edi
        call pieces
        movl %eax, %ebx
        movl $3, %edi
        call pieces
        addl %eax, %ebx
        movl $4, %edi
        call pieces
        leal -60(%rax,%rbx), %ebx
        call traps
        leal -1(%rax,%rbx), %eax
        popq %rbx
        ret
        .size main, . - main
        .section .note.GNU-stack, "", @progbits
