# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: x86_64, gcc
#
# A label at the end of a function may be the beginning of the next section's code:
# musl's _fini has no type and no size, and lies behind the last function of .text.
# It moves with its code. -verify took the address for the function's end.
#
# RUN: rm -rf %t && mkdir %t
# RUN: gcc -nostdlib -static %s -Wl,--emit-relocs -o %t/object
# RUN: llvm-nm -n %t/object | FileCheck %s
# RUN: %t/object
# RUN: graupel-bolt %t/object -o %t/plain -verify
# RUN: %t/plain
# RUN: graupel-bolt %t/object -o %t/instrumented -verify -instrument \
# RUN:   -instrumentation-file=%t/profile
# RUN: %t/instrumented
# RUN: graupel-bolt %t/object -o %t/faster -verify -data=%t/profile
# RUN: %t/faster
#
# CHECK: {{0*}}[[#%x,END:]] T {{_fini|behind}}
# CHECK-NEXT: {{0*}}[[#%x,END]] T {{_fini|behind}}
# (`behind` is the end of .text; the linker puts .fini right there.)

        .text
        .globl  _start
        .type   _start, @function
_start:
        callq   before
        movl    $_fini, %ecx
        callq   *%rcx
        movl    %eax, %edi
        movl    $60, %eax
        syscall
        hlt
        .size   _start, . - _start

        .type   before, @function
before:
        movl    $1, %eax
        ret
        .size   before, . - before
        .globl  behind
behind:

        .section .fini, "ax", @progbits
        .globl  _fini
_fini:
        decl    %eax
        ret
        .section .note.GNU-stack, "", @progbits
