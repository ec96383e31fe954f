# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Data among the code that looks like a branch to where no section is. BOLT
# crashed over it. It is no part of a function, nor is what a symbol calls data.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -Wl,--emit-relocs %s -o %t.exe
# RUN: %python %tools/exit-code.py 42 %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
# CHECK-DAG: GRAUPEL-INFO: sizeless left as it is: it seems to branch to where nothing is
# CHECK-DAG: GRAUPEL-INFO: reader left as it is: it seems to branch to where nothing is
# RUN: %python %tools/exit-code.py 42 %t.o
# RUN: gcc -nostdlib -static %s -o %t.plain
# RUN: graupel-bolt %t.plain -o %t.plain.o -verify
# RUN: %python %tools/exit-code.py 42 %t.plain.o
        .text
        .globl _start
        .type _start, @function
_start:
        call sizeless
        movl %eax, %edi
        addl numbers(%rip), %edi
        movl $60, %eax
        syscall
        .size _start, . - _start

        .globl sizeless
        .type sizeless, @function
sizeless:
        movl $2, %eax
        ret
# jmp far away
        .byte 0xe9, 0xff, 0xff, 0xff, 0x6f
        .quad 0x1234567890

        .globl reader
        .type reader, @function
reader:
        ret
        .byte 0xe9, 0xff, 0xff, 0xff, 0x6f
        .size reader, . - reader

        .globl other
        .type other, @function
other:
        ret
        .size other, . - other

        .type numbers, @object
numbers:
        .long 40
        .byte 0xe9, 0xff, 0xff, 0xff, 0x6f
        .size numbers, . - numbers
