# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A switch that always takes one entry of its table, the first or another. BOLT
# takes the entry for a table, too, and crashes if it is the first.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.plain
# RUN: %python %tools/exit-code.py 55 %t
# RUN: %python %tools/exit-code.py 55 %t.plain
# RUN: graupel-bolt %t -o %t.faster -data=%t.fdata
# RUN: %python %tools/exit-code.py 55 %t.faster
# Without relocations.
# RUN: %link-asm %s %t.fixed --build-id=none
# RUN: graupel-bolt %t.fixed -o %t.plain -verify
# RUN: %python %tools/exit-code.py 55 %t.plain

	.text
	.globl	_start
	.type	_start, @function
_start:
	xorl	%edi, %edi
Lfirst:
	call	first
	call	second
	movl	$60, %eax
	syscall
	.size	_start, .-_start

	.type	first, @function
first:
	movslq	table(%rip), %rax
	leaq	table(%rip), %rsi
	addq	%rsi, %rax
	jmp	*%rax
.Lone:
	addl	$5, %edi
	ret
.Ltwo:
	addl	$50, %edi
	ret
	.size	first, .-first

	.type	second, @function
second:
	movslq	other+4(%rip), %rax
	leaq	other(%rip), %rsi
	addq	%rsi, %rax
	jmp	*%rax
.Lthree:
	addl	$5, %edi
	ret
.Lfour:
	addl	$50, %edi
	ret
	.size	second, .-second

	.section .rodata, "a"
	.balign	4
table:
	.long	.Lone-table
	.long	.Ltwo-table
other:
	.long	.Lthree-other
	.long	.Lfour-other

# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lfirst# 1 first 0 0 1
