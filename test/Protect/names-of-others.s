# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The program has a function of its own by the name err, which returns. A
# function that ends in a call of it runs on into the next one.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe && %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected -verify | FileCheck %s
# CHECK-DAG: runsOn left as it is: control runs past its end
# CHECK-DAG: behind left as it is: control runs into it
# RUN: %t.o
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -reorder-functions=hfsort && %t.p
        .text
        .globl runsOn
        .type runsOn, @function
runsOn: .cfi_startproc
        movl %edi, %r8d
        cmpl $20, %edi
        ja behind
        incl %r8d
        callq err
        .cfi_endproc
        .size runsOn, . - runsOn
        .globl behind
        .type behind, @function
behind: .cfi_startproc
        leal 7(%r8,%r8), %eax
        retq
        .cfi_endproc
        .size behind, . - behind

        .globl err
        .type err, @function
err:    .cfi_startproc
        incl count(%rip)
        retq
        .cfi_endproc
        .size err, . - err

        .globl main
        .type main, @function
main:   .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        movl $4, %edi
        callq runsOn
        movl %eax, %ebx
        movl $30, %edi
        callq runsOn
        addl %ebx, %eax
        subl $84, %eax
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size main, . - main
        .comm count, 4, 4
        .section .note.GNU-stack, "", @progbits
