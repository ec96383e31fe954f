# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A part of a callee takes the place of its call; what is rare calls the rest of
# the callee, at two entries that are two bytes apart. A function that cannot be
# read makes it necessary to patch old entries, for which there is no room. The
# callee stays then, and the entries would lead to nowhere.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -no-pie -o %t
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -verify
# RUN: %t.o
# RUN: %t.o rare
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -hco-invert -hco-growth=1000 -verify
# RUN: %t.o
# RUN: %t.o rare
	.macro function name
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	.endm

	.macro done name
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text
	.p2align 4
	function callee
	cmpl $1, %edi
	je .Lone
	cmpl $2, %edi
	je .Ltwo
	leal 3(%rdi), %eax
	ret
.Lone:	incl %edi
.Ltwo:	leal 10(%rdi), %eax
	.rept 40
	xorl $0x12345678, %eax
	.endr
	ret
	done callee

	function unread
	jmp 1f
	.byte 6
1:	ret
	done unread

# main: calls callee(5) a thousand times, or callee(1) and callee(2).
	function main
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	pushq %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	subq $8, %rsp
	.cfi_def_cfa_offset 32
	callq unread
	movl %edi, %ebp
	movl $1000, %ebx
2:	movl $5, %edi
	cmpl $1, %ebp
	je 3f
	movl %ebx, %edi
	andl $1, %edi
	incl %edi
3:	callq callee
	cmpl $8, %eax
	je 4f
	cmpl $12, %eax
	jne 5f
4:	decl %ebx
	jne 2b
	xorl %eax, %eax
	jmp 6f
5:	movl $1, %eax
6:	addq $8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	done main
	.section .note.GNU-stack, "", @progbits
