# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jumps into the middle of another function with flags that are read there: GCC's from
# a function to its cold part, and assembly's to a shared end, also on through a third
# function that leaves the flags alone.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -verify -o %t.counted -instrumentation-file=%t.gprofile
# RUN: %t.counted
# RUN: graupel-bolt %t -instrument -conservative-instrumentation -o %t.all -instrumentation-file=%t.other && %t.all
# RUN: graupel-bolt %t -instrument -atomic -o %t.atomic -instrumentation-file=%t.other && %t.atomic
# RUN: graupel-bolt %t -data=%t.gprofile -verify -o %t.fast && %t.fast
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-growth=1000 -verify -o %t.hot && %t.hot
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
	function work
	movl	$1, %eax
	cmpq	$0, %rdi
	jns	.Lentry
	cmpq	$-5, %rdi
	je	work.cold
	movl	$2, %eax
	ret
.Lback:	addl	$5, %eax
	ret
	ends	work

	.section .text.unlikely, "ax", @progbits
	function work.cold
	addl	$50, %eax
	jmp	.Lback
.Lentry: jne	1f
	movl	$100, %eax
	jmp	.Lback
1:	movl	$200, %eax
	jmp	.Lback
	ends	work.cold

	.text
	function shares
	movl	$1, %eax
	subq	$7, %rdi
	je	middle
	js	shared
	addq	$3, %rdi
	jmp	through
	ends	shares

	function shared
	movl	$9, %eax
	ret
middle:	setc	%al
	movzbl	%al, %eax
	jz	1f
	addl	$4, %eax
1:	ret
	ends	shared

	function third
	movl	$3, %eax
	ret
through: leaq	1(%rdi), %rdi
	jmp	middle
	ends	third

	.macro	expect name, argument, result
	movq	$\argument, %rdi
	call	\name
	cmpl	$\result, %eax
	jne	.Lwrong
	.endm
	function main
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	expect	work, -5, 56
	expect	work, -1, 2
	expect	work, 0, 105
	expect	work, 7, 205
	expect	shares, 7, 0
	expect	shares, 3, 9
	expect	shares, 9, 4
	expect	shares, 4, 9
	xorl	%eax, %eax
	addq	$8, %rsp
	ret
.Lwrong: movl	$1, %eax
	addq	$8, %rsp
	ret
	ends	main
	.section .note.GNU-stack,"",@progbits
