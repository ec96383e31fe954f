# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A program whose counters have to save all that they can: flags that live into a cold
# part and into functions called by registers, and R11 across such calls.
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
	addl	$1, %eax
	ret
.Lback:	addl	$5, %eax
	ret
	ends	work

	.section .text.unlikely, "ax", @progbits
	function work.cold
	addl	$50, %eax
	jmp	.Lback
.Lentry: jle	1f
	ja	2f
	addl	$100, %eax
	jmp	.Lback
1:	addl	$200, %eax
	jmp	.Lback
2:	addl	$300, %eax
	jmp	.Lback
	ends	work.cold

	.text
	function isZero
	jz	1f
	ret
1:	inc	%edx
	ret
	ends	isZero

# How many of three calls found that %edi is zero; what is in R8 to R11 stays.
	function ask
	xor	%edx, %edx
	lea	isZero(%rip), %rcx
	push	%rcx
	test	%edi, %edi
	call	*%rcx
	test	%edi, %edi
	call	*(%rsp)
	test	%edi, %edi
	call	*pointer(%rip)
	pop	%rcx
	mov	%edx, %eax
	ret
	ends	ask

# A counter is before the second comparison.
	function shape
	movl	$7, %eax
	testl	%edi, %edi
	je	1f
	cmpl	$3, %edi
	je	1f
	movl	$5, %eax
	cmpl	$4, %edi
	je	2f
	subl	$1, %eax
2:	ret
1:	addl	$3, %eax
	ret
	ends	shape

	.macro	expect name, argument, result
	movq	$\argument, %rdi
	call	\name
	cmpl	$\result, %eax
	jne	.Lwrong
	.endm
	function main
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movl	$40, %r10d
	movl	$41, %r11d
	expect	work, -5, 56
	expect	work, -1, 2
	expect	work, 0, 206
	expect	work, 7, 306
	expect	ask, 7, 0
	expect	ask, 0, 3
	expect	shape, 0, 10
	expect	shape, 3, 10
	expect	shape, 4, 5
	expect	shape, 9, 4
	cmpl	$40, %r10d
	jne	.Lwrong
	cmpl	$41, %r11d
	jne	.Lwrong
	xorl	%eax, %eax
	addq	$8, %rsp
	ret
.Lwrong: movl	$1, %eax
	addq	$8, %rsp
	ret
	ends	main

	.data
	.balign	8
	.globl	pointer
pointer:
	.quad	isZero
	.section .note.GNU-stack, "", @progbits
