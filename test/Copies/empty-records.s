# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Clang's functions without code have empty unwind records, and begin where the next
# function does. lld's index has one of the two records, the empty one, so that the
# unwinder sees none: such a function stays.
#
# REQUIRES: x86_64, clang
# RUN: clang-22 -c %s -o %t.o && clang-22 -nostdlib -static-pie -fuse-ld=lld -s %t.o -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile \
# RUN:   | FileCheck %s && %t.i
# RUN: graupel-bolt %t -o %t.fast -data=%t.gprofile -copies=always -verify && %t.fast
# CHECK: not instrumented: 1 function
        .text
        .globl _start
        .type _start, @function
_start:
        .cfi_startproc
        movl $1000, %ecx
1:      movl %ecx, %edi
        callq twice
        callq twice_again
        decl %ecx
        jne 1b
        leal -4(%rax), %edi
        movl $60, %eax
        syscall
        .cfi_endproc
        .size _start, . - _start

        .type twice, @function
twice:
        .cfi_startproc
        leal (%rdi,%rdi), %eax
        nop
        nop
        retq
        .cfi_endproc
        .size twice, . - twice

        .type nothing, @function
nothing:
        .cfi_startproc
        .cfi_endproc
        .size nothing, . - nothing
        .type twice_again, @function
twice_again:
        .cfi_startproc
        leal (%rax,%rax), %eax
        nop
        nop
        retq
        .cfi_endproc
        .size twice_again, . - twice_again
        .section .note.GNU-stack, "", @progbits
