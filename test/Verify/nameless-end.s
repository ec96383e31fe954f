# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A switch of a function whose name was stripped from its object, with an entry
# that is never taken: it leads to the function's end, as clang has it.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -no-pie -o %t
# RUN: graupel-bolt %t -o %t.counting -verify -instrument -instrumentation-file=%t.profile
# RUN: %t.counting
# RUN: graupel-bolt %t -o %t.o -verify
# RUN: %t.o
	.text
	.p2align 4
	.cfi_startproc
.Lpick:	cmpl $2, %edi
	ja .Lp2
	movl %edi, %edi
	jmpq *.Ltable(,%rdi,8)
.Lp0:	movl $10, %eax
	retq
.Lp2:	movl $30, %eax
	retq
.Lend:	.cfi_endproc
	.p2align 4

	.globl main
	.type main, @function
main:	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	xorl %edi, %edi
	callq .Lpick
	movl %eax, %ecx
	movl $2, %edi
	callq .Lpick
	addl %ecx, %eax
	subl $40, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size main, . - main

	.section .rodata
	.p2align 3
.Ltable: .quad .Lp0, .Lend, .Lp2
	.section .note.GNU-stack, "", @progbits
