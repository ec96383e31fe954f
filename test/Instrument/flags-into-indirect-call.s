# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly that passes flags to a function that it calls by a register, by a
# place on the stack and by one in memory.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -verify -o %t.i -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: %counts %t.gprofile isZero=6 ask=2
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -atomic -o %t.i -instrumentation-file=%t.gprofile
# RUN: %t.i
	.text
	.globl	isZero
	.type	isZero, @function
isZero:
	jz	1f
	ret
1:	inc	%edx
	ret
	.size	isZero, . - isZero

# How many of three calls found that %edi is zero.
	.globl	ask
	.type	ask, @function
ask:
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
	.size	ask, . - ask

	.globl	main
	.type	main, @function
main:
	push	%rbx
	mov	$7, %edi
	call	ask
	mov	%eax, %ebx
	xor	%edi, %edi
	call	ask
	sub	$3, %eax
	or	%ebx, %eax
	pop	%rbx
	ret
	.size	main, . - main

	.data
	.balign	8
pointer:
	.quad	isZero
	.section .note.GNU-stack, "", @progbits
