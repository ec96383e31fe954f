# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An entry point of which no record or symbol tells, as in the loader and in programs
# without the C library, or in the middle of a function.
#
# REQUIRES: x86_64, gcc
# DEFINE: %{how} = -nostdlib -static-pie -s
# DEFINE: %{test} = gcc -c %s -o %t.o && gcc %{how} %t.o -o %t && %t && rm -f %t.gprofile \
# DEFINE:   && graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile && %t.i \
# DEFINE:   && graupel-bolt %t -o %t.fast -data=%t.gprofile -copies=always -verify && %t.fast && llvm-readelf -h %t.fast | FileCheck %s
# RUN: %{test}
# REDEFINE: %{how} = -nostdlib -static -no-pie -s
# RUN: %{test}
# REDEFINE: %{how} = -nostdlib -static-pie -Wl,-e,middle
# RUN: %{test}
# CHECK: Entry point address: 0x{{[1-9a-f]}}
#
# Functions that move take such an entry with them, and BOLT does not say where to.
# RUN: gcc -nostdlib -static-pie -Wl,-e,middle,--emit-relocs %t.o -o %t && %t
# RUN: mkdir -p %t.dir && %refuse graupel-bolt %t -o %t.dir/out | FileCheck %s --check-prefix=LOST
# RUN: graupel-bolt %t -o %t.always -copies=always -verify && %t.always
# LOST: error: {{.*}}: the entry point 0x{{.*}} is not the beginning of a function, and would be lost; -copies=always keeps it
        .text
        .globl _start
_start: xorl %ebx, %ebx
        jmp begin
        .zero 16, 0xcc

        .type work, @function
work:
        .cfi_startproc
        nop
middle: xorl %ebx, %ebx
begin:  movl $1000, %ecx
1:      movl %ecx, %edi
        callq twice
        addl %eax, %ebx
        decl %ecx
        jne 1b
        xorl %edi, %edi
        cmpl $1001000, %ebx
        setne %dil
        movl $60, %eax
        syscall
        .cfi_endproc
        .size work, . - work
        .globl middle

        .globl twice
        .type twice, @function
twice:
        .cfi_startproc
        leal (%rdi,%rdi), %eax
        nop
        nop
        retq
        .cfi_endproc
        .size twice, . - twice
        .section .note.GNU-stack, "", @progbits
