# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Control that runs past the end of a function, into the next: in glibc, the
# variants of strcasecmp do so. BOLT puts other code behind such a function.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --implicit-check-not="runs past its end"
# CHECK: falling{{.*}} left as it is: control runs past its end
# CHECK: deciding{{.*}} left as it is: control runs past its end
# CHECK: GRAUPEL-INFO: 4 functions left as they are: 2 run past their ends, 2 are run into from the functions before them
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movl $5, %edi
        callq falling
        movl %eax, %ebx
        movl $0, %edi
        callq deciding
        addl %eax, %ebx
        movl $7, %edi
        callq deciding
        addl %eax, %ebx
        xorl %eax, %eax
        cmpl $138, %ebx
        setne %al
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size main, . - main

        .type falling, @function
falling:
        .cfi_startproc
        addl $1, %edi
        .cfi_endproc
        .size falling, . - falling
        .type next, @function
next:
        .cfi_startproc
        leal (%rdi,%rdi), %eax
        retq
        .cfi_endproc
        .size next, . - next

# These end in calls and traps.
        .type stopping, @function
stopping:
        .cfi_startproc
        callq abort@PLT
        nop
        .cfi_endproc
        .size stopping, . - stopping
        .type trapping, @function
trapping:
        .cfi_startproc
        ud2
        .cfi_endproc
        .size trapping, . - trapping

        .type deciding, @function
deciding:
        .cfi_startproc
        testl %edi, %edi
        je next
        leal 100(%rdi), %edi
        cmpl $1, %edi
        je stopping
        .cfi_endproc
        .size deciding, . - deciding
        .type other, @function
other:
        .cfi_startproc
        leal 19(%rdi), %eax
        retq
        .cfi_endproc
        .size other, . - other
        .section .note.GNU-stack, "", @progbits
