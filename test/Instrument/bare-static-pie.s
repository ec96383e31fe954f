# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A static program that can be moved and has no C library names no function that
# a loader would call. The runtime starts with the program, and needs none.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static-pie -Wl,--emit-relocs %s -o %t.exe
# RUN: readelf -d %t.exe | FileCheck %s --check-prefix=BARE --implicit-check-not=INIT
# BARE: PIE
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %python %tools/exit-code.py 42 %t.i
# RUN: graupel-bolt export %t.gprofile | FileCheck %s
# CHECK: 1 _start 0 1 called 0 0 1
# RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify
# RUN: %python %tools/exit-code.py 42 %t.o
        .text
        .globl _start
        .type _start, @function
_start:
        call called
        movl %eax, %edi
        movl $60, %eax
        syscall
        hlt
        .size _start, . - _start

        .globl called
        .type called, @function
called:
        movl $42, %eax
        ret
        .size called, . - called
