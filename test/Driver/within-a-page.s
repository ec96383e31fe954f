# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ld -n and -N begin the first segment behind the headers, in the midst of a page.
# BOLT gave its own segment a place in the file that no system maps there.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -Wl,-n,--emit-relocs,--no-warn-rwx-segments %s -o %t.n
# RUN: %python %tools/exit-code.py 42 %t.n
# RUN: graupel-bolt %t.n -o %t.n.o -verify
# RUN: %python %tools/exit-code.py 42 %t.n.o
# RUN: graupel-bolt %t.n -o %t.n.i -instrument -instrumentation-file=%t.gprofile
# RUN: %python %tools/exit-code.py 42 %t.n.i
# RUN: gcc -nostdlib -static -Wl,-N,--emit-relocs,--no-warn-rwx-segments %s -o %t.N
# RUN: graupel-bolt %t.N -o %t.N.o -verify
# RUN: %python %tools/exit-code.py 42 %t.N.o
        .text
        .globl _start
        .type _start, @function
_start:
        call answer
        movl %eax, %edi
        movl $60, %eax
        syscall
        .size _start, . - _start

        .globl answer
        .type answer, @function
answer:
        movl number(%rip), %eax
        ret
        .size answer, . - answer

        .data
number: .long 42
