# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mold pads code with zeros. Behind a call that does not return they are nothing that
# is executed, though the last ones would make an instruction with what follows.
#
# REQUIRES: x86_64, g++
# RUN: g++ %s -s -o %t && rm -f %t.gprofile
# RUN: graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile | FileCheck %s && %t.i
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -verify | FileCheck %s && %t.o
# CHECK: verified: {{.*}} instructions as in the input
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movl $100, %ebx
1:      movl %ebx, %edi
        callq work
        testl %eax, %eax
        js 2f
        decl %ebx
        jne 1b
        xorl %eax, %eax
        popq %rbx
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        retq
2:      .cfi_restore_state
        callq stop
        .cfi_endproc
        .size main, . - main

        nop
stop:   pushq %rax
        callq _ZSt9terminatev@PLT
        .zero 3

        .type work, @function
work:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        leal 7(%rdi,%rdi), %eax
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size work, . - work
        .section .note.GNU-stack, "", @progbits
