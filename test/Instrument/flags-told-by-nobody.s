# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instructions of which LLVM does not say that they read flags: a conditional move of
# x87, as clang -O0 makes it of a cast from long double to unsigned long, and loops that
# look at a comparison. No counter comes between them and the flags.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -verify -o %t.counted -instrumentation-file=%t.gprofile
# RUN: %t.counted
# RUN: graupel-bolt %t -instrument -atomic -o %t.atomic -instrumentation-file=%t.other && %t.atomic
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-growth=1000 -verify -o %t.hot && %t.hot
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-random=1 -hco-growth=1000 -verify -o %t.hot && %t.hot
	.macro	function name
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:	.cfi_startproc
	.endm
	.macro	ends name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.text
# What is given if it is less than 1; and 1 if it is not.
	function smaller
	movq	%rdi, -8(%rsp)
	fildq	-8(%rsp)
	fld1
	fucomi	%st(1), %st
	setbe	%al
	fldz
	fcmovnbe %st(2), %st
	fistpq	-8(%rsp)
	fstp	%st
	fstp	%st
	movzbl	%al, %eax
	addq	-8(%rsp), %rax
	ret
	ends	smaller

# The length of a row of equal bytes.
	function row
	movq	$20, %rcx
	leaq	bytes(%rip), %rsi
1:	incq	%rsi
	cmpb	%dil, -1(%rsi)
	loope	1b
	movq	$20, %rax
	subq	%rcx, %rax
	ret
	ends	row

	function main
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	movl	$100, %ebx
1:	movq	$-7, %rdi
	call	smaller
	cmpq	$-7, %rax
	jne	2f
	movq	$7, %rdi
	call	smaller
	cmpq	$1, %rax
	jne	2f
	movq	$1, %rdi
	call	smaller
	cmpq	$1, %rax
	jne	2f
	movq	$'a', %rdi
	call	row
	cmpq	$6, %rax
	jne	2f
	movq	$'b', %rdi
	call	row
	cmpq	$1, %rax
	jne	2f
	decl	%ebx
	jne	1b
	xorl	%eax, %eax
	popq	%rbx
	ret
2:	movl	$1, %eax
	popq	%rbx
	ret
	ends	main

	.section .rodata
bytes:	.ascii	"aaaaabbbbbbbbbbbbbbbbbbbbbbb"
	.section .note.GNU-stack,"",@progbits
