# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly that stays where it is, since it calls a label of its own, and goes on
# with a register that its callee has counted up: no result by the ABI, but one by
# their own convention.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-growth=1000 -print-protected -verify -o %t.hot | FileCheck %s
# CHECK: stays left as it is: it calls an instruction inside itself
# RUN: %t.hot
        .text
        .globl step
        .type step, @function
step:   testl %edi, %edi
        js 1f
        addl $8, %r8d
        ret
1:      addl $1, %r8d
        ret
        .size step, . - step

        .globl stays
        .type stays, @function
stays:  xorl %r8d, %r8d
        movl $100, %edi
2:      call step
        decl %edi
        jne 2b
        call 3f
        ret
3:      movl %r8d, %eax
        ret
        .size stays, . - stays

        .globl main
        .type main, @function
main:   call stays
        subl $800, %eax
        ret
        .size main, . - main
        .section .note.GNU-stack, "", @progbits
