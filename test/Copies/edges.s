# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What assembly does at the edges of functions whose bounds only unwind records
# tell: code without a record that is branched to, and that counts from a
# function's beginning; labels that the loader knows by name; functions that read
# their own first bytes; registers of newer processors; entry points elsewhere.
#
# REQUIRES: x86_64, gcc
# DEFINE: %{strip} = -s
# DEFINE: %{test} = gcc -c %s -o %t.o && gcc %{strip} -rdynamic %t.o -o %t && %t > %t.out && rm -f %t.gprofile \
# DEFINE:   && graupel-bolt %t -o %t.i -instrument -verify -print-protected -instrumentation-file=%t.gprofile > %t.log && %t.i | diff %t.out - \
# DEFINE:   && graupel-bolt %t -o %t.fast -data=%t.gprofile -copies=always -verify > %t.log.fast && %t.fast | diff %t.out -
# RUN: %{test}
# RUN: FileCheck %s < %t.log
# REDEFINE: %{strip} =
# RUN: %{test}
# RUN: FileCheck %s --check-prefix=NAMED --implicit-check-not="untyped left" < %t.log
# CHECK-DAG: left as it is: it branches to what is behind its end
# CHECK-DAG: left as it is: something may lead into its first bytes
# CHECK-DAG: left as it is: code without an unwind record takes its address
# CHECK-DAG: left as it is: a function reads or writes its code
# NAMED-DAG: labeled left as it is: something may lead into its first bytes
# NAMED-DAG: counted{{.*}} left as it is: it is an element of an array of code
# NAMED-DAG: slow{{.*}} left as it is: no unwind record tells where it ends
# NAMED-DAG: readsItself{{.*}} left as it is: a function reads or writes its code
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        pushq %rbp
        .cfi_def_cfa_offset 24
        .cfi_offset %rbp, -24
        subq $8, %rsp
        .cfi_def_cfa_offset 32
        xorl %ebp, %ebp
        movl $1000, %ebx
1:      movl %ebx, %edi
        callq branching
        addl %eax, %ebp
        movl %ebx, %edi
        callq calling
        addl %eax, %ebp
        movl %ebx, %edi
        callq labeled
        addl %eax, %ebp
        movl %ebx, %edi
        movl $2, %eax
        callq *second@GOTPCREL(%rip)
        addl %eax, %ebp
        movl %ebx, %edi
        callq counting
        addl %eax, %ebp
        movl %ebx, %edi
        callq unrecorded
        addl %eax, %ebp
        callq readsItself
        addl %eax, %ebp
        movl %ebx, %edi
        callq untyped
        addl %eax, %ebp
        movl $-1, %edi
        leaq done(%rip), %rsi
        callq apx
        decl %ebx
        jne 1b
        leaq format(%rip), %rdi
        movl %ebp, %esi
        xorl %eax, %eax
        callq printf@PLT
        xorl %eax, %eax
        addq $8, %rsp
        .cfi_def_cfa_offset 24
        popq %rbp
        .cfi_def_cfa_offset 16
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size main, . - main

# Its slow path has no record.
        .type branching, @function
branching:
        .cfi_startproc
        movl %edi, %eax
        testl $8, %eax
        jne slow
        leal 3(%rax), %eax
        retq
        .cfi_endproc
        .size branching, . - branching
slow:   addl $100, %eax
        retq

        .type calling, @function
calling:
        .cfi_startproc
        movl %edi, %eax
        callq helper
        leal 5(%rax), %eax
        retq
        .cfi_endproc
        .size calling, . - calling
helper: leal (%rax,%rax), %eax
        retq

        .globl labeled, second
        .type labeled, @function
labeled:
        .cfi_startproc
        movl %edi, %eax
second: addl %edi, %eax
        imull $3, %eax, %eax
        retq
        .cfi_endproc
        .size labeled, . - labeled

# No record, no size: enters the unrolled code behind it in its middle.
counting:
        movl %edi, %ecx
        andl $3, %ecx
        xorl %eax, %eax
        leaq counted(%rip), %rdx
        leaq (%rdx,%rcx,4), %rdx
        jmpq *%rdx
        .p2align 4
        .type counted, @function
counted:
        .cfi_startproc
        .byte 0x83, 0xc0, 0x01, 0x90
        .byte 0x83, 0xc0, 0x02, 0x90
        .byte 0x83, 0xc0, 0x04, 0x90
        .byte 0x83, 0xc0, 0x08, 0x90
        retq
        .cfi_endproc
        .size counted, . - counted

        .type unrecorded, @function
unrecorded:
        leal 7(%rdi,%rdi), %eax
        retq
        .size unrecorded, . - unrecorded

        .type readsItself, @function
readsItself:
        .cfi_startproc
        leaq readsItself(%rip), %rcx
        movzbl (%rcx), %eax
        addl %eax, %eax
        retq
        .cfi_endproc
        .size readsItself, . - readsItself

# A function has a record, and its name no type.
        .globl untyped
untyped:
        .cfi_startproc
        leal 9(%rdi,%rdi), %eax
        retq
        .cfi_endproc

# APX, on a path that older processors do not take: add %r17, %rax.
        .globl apx
        .type apx, @function
apx:
        .cfi_startproc
        testl %edi, %edi
        js 1f
        .byte 0xd5, 0x48, 0x01, 0xc8
        .byte 0xd5, 0x19, 0x89, 0xc0
1:      jmpq *%rsi
        .cfi_endproc
        .size apx, . - apx

        .type done, @function
done:
        .cfi_startproc
        retq
        .cfi_endproc
        .size done, . - done

        .section .rodata
format: .asciz "%d\n"
        .section .note.GNU-stack, "", @progbits
