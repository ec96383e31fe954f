# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Data in front of a function that is found by the function's address: LLVM's
# prefix data and the tables of GHC by a pointer, constants of assembly by the
# symbol and a negative distance. It does not move with the function. Data that
# is found by a label of its own, and what linkers fill gaps with, keep nobody.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -Wl,--emit-relocs %s -o %t.exe
# RUN: %python %tools/exit-code.py 42 %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s --implicit-check-not="left as it is"
# CHECK-DAG: GRAUPEL-INFO: pointed left as it is: data beside it may be found by its address
# CHECK-DAG: GRAUPEL-INFO: counted left as it is: data beside it may be found by its address
# CHECK-DAG: GRAUPEL-INFO: behind left as it is: data beside it may be found by its address
# CHECK-DAG: GRAUPEL-INFO: sizeless left as it is: control runs past its end
# CHECK: GRAUPEL-INFO: 4 functions left as they are: 1 runs past its end, 3 have data beside them
# RUN: %python %tools/exit-code.py 42 %t.o
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %python %tools/exit-code.py 42 %t.i
        .text
        .globl _start
        .type _start, @function
_start:
        movq pointer(%rip), %rax
        movl -4(%rax), %edi             # 10
        call counted
        addl %eax, %edi                 # 15
        call labeled
        addl %eax, %edi                 # 22
        call *pointer(%rip)
        addl %eax, %edi                 # 23
        leaq behind(%rip), %rax
        addl -4(%rax), %edi             # 40
        call filled
        addl %eax, %edi                 # 42
        movl $60, %eax
        syscall
        hlt
        .size _start, . - _start

        .balign 16
        .long 0, 0, 0, 10
        .globl pointed
        .type pointed, @function
pointed:
        movl $1, %eax
        ret
        .size pointed, . - pointed

# What has data behind it, BOLT leaves as it is.
        .type between, @function
between:
        ret
        .size between, . - between

        .long 0x90909090, 5
        .globl counted
        .type counted, @function
counted:
        movl counted - 4(%rip), %eax
        ret
        .size counted, . - counted

.Lseven:
        .long 7
        .globl labeled
        .type labeled, @function
labeled:
        movl .Lseven(%rip), %eax
        ret
        .size labeled, . - labeled

# Zeros up to the alignment.
        .balign 16, 0
        .globl filled
        .type filled, @function
filled:
        movl $2, %eax
        ret
        .size filled, . - filled

# Has no size: the data behind it is read as a part of it.
        .globl sizeless
        .type sizeless, @function
sizeless:
        ret
        .long 17

        .globl behind
        .type behind, @function
behind:
        ret
        .size behind, . - behind

        .section .data.rel.ro, "aw"
        .balign 8
pointer:
        .quad pointed
