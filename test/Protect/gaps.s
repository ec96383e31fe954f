# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Without relocations a function is written over itself, and what is behind it
# is filled with nops. That may be more than padding: nops of a patcher that
# nobody names, a constant of zeros. Only real padding is free.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -no-pie %s -o %t && %t
# RUN: graupel-bolt %t -o %t.o -verify | FileCheck %s
# RUN: %t.o
# CHECK: graupel-bolt: verified

	.macro	function Name
	.globl	\Name
	.type	\Name, @function
\Name:
	.cfi_startproc
	.endm
	.macro	end Name
	.cfi_endproc
	.size	\Name, . - \Name
	.endm

	.text
	.p2align 5
	function padded
	xorl	%eax, %eax
	nop
	retq
	end	padded

	.p2align 5
	function shorter
	nopl	(%rax)
	xorl	%eax, %eax
	retq
	end	shorter

# For a patcher that knows them from the entry.
	.rept	9
	nop
	.endr
	function patched
	xorl	%eax, %eax
	nop
	retq
	end	patched

# Read as a table of functions that are not there.
.LZeros:
	.zero	40
	.p2align 4
	function main
	pushq	%rbx
	callq	padded
	callq	shorter
	callq	patched
# Are there nine nops before the entry?
	leaq	patched(%rip), %rbx
	movabsq	$0x9090909090909090, %rcx
	cmpq	%rcx, -8(%rbx)
	jne	.LWrong
	cmpb	$0x90, -9(%rbx)
	jne	.LWrong
# Only zeros from the end of that function on?
	movq	Zeros(%rip), %rbx
	addq	$7, %rbx
	xorl	%ecx, %ecx
.LNext:
	orq	(%rbx,%rcx,8), %rax
	incl	%ecx
	cmpl	$5, %ecx
	jne	.LNext
	testq	%rax, %rax
	setne	%al
	movzbl	%al, %eax
	popq	%rbx
	retq
.LWrong:
	movl	$2, %eax
	popq	%rbx
	retq
	end	main

	.data
	.p2align 3
# Not an address, so that nobody can find it.
Zeros:
	.quad	.LZeros - 7
	.section .note.GNU-stack,"",@progbits
