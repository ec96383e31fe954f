# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function at the very end of its section jumps to its end where control does not
# come: nothing is there, in the input and in the output.
#
# RUN: clang -c %s -o %t.o && clang %t.o -Wl,--emit-relocs -no-pie -o %t
# RUN: llvm-objdump-22 -d %t | FileCheck %s
# CHECK: jmp {{.*}}<last+0x
# RUN: graupel-bolt %t -o %t.new -v=1 -verify | FileCheck %s --check-prefix=SAID
# SAID: last left as it is: it seems to branch to where nothing is
# RUN: %t.new

        .text
        .globl  main
        .type   main, @function
main:
        xorl    %edi, %edi
        subq    $8, %rsp
        call    last
        addq    $8, %rsp
        ret
        .size   main, .-main

        .globl  zero
        .type   zero, @function
zero:
        xorl    %eax, %eax
        ret
        .size   zero, .-zero

        .section .text.zlast, "ax", @progbits
        .globl  last
        .type   last, @function
last:
        testl   %edi, %edi
        jne     .Lnever
        subq    $8, %rsp
        call    zero                    # which moves, so that this code changes
        addq    $8, %rsp
        ret
.Lnever:
        .byte   0xe9
        .long   .Lend - . - 4
        nop
.Lend:
        .size   last, .-last
        .section .note.GNU-stack, "", @progbits
