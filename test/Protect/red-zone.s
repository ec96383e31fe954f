# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A rare path keeps a variable below the stack pointer while it uses a register that
# is saved on entry. Frame optimization would move the save into that path, and onto
# the variable. With a frame pointer the variable is below that one's frame.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe > %t.expected
# RUN: graupel-bolt %t.exe -o %t.inst -instrument
# RUN: %t.inst > %t.counted
# RUN: diff %t.expected %t.counted
# RUN: graupel-bolt -v=1 %t.exe -o %t.o -data=%t.inst.gprofile -frame-opt=all -hco=false | FileCheck %s
# The save in the function whose variable is elsewhere is moved.
# CHECK: Shrink wrapping moved 0 spills inserting load/stores and 1 spills
# RUN: %t.o > %t.got
# RUN: diff %t.expected %t.got

	.macro	begin name
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	.endm

	.macro	save register, offset
	pushq	\register
	.cfi_def_cfa_offset \offset
	.cfi_offset \register, -\offset
	.endm

	.macro	body name, variable:vararg
	movq	%rdi, %rbx
	cmpq	$100, %rdi
	ja	.Lrare\name
	leaq	(%rbx,%rbx), %rax
.Lout\name:
	popq	%rbx
	.cfi_remember_state
	popq	%r12
	.ifc \name, belowFrame
	popq	%rbp
	.endif
	.cfi_def_cfa %rsp, 8
	retq
.Lrare\name:
	.cfi_restore_state
	movq	%rsi, \variable
	xorl	%eax, %eax
	testq	%rsi, %rsi
	je	.Lout\name
	leaq	(%rdi,%rdi,2), %r12
	xorl	%esi, %esi
	movq	\variable, %rax
	addq	%r12, %rax
	addq	%rbx, %rax
	jmp	.Lout\name
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.text
	begin	belowStack
	save	%r12, 16
	save	%rbx, 24
	body	belowStack, -8(%rsp)

	begin	inMemory
	save	%r12, 16
	save	%rbx, 24
	body	inMemory, Memory(%rip)

	begin	belowFrame
	save	%rbp, 16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%r12
	.cfi_offset %r12, -24
	pushq	%rbx
	.cfi_offset %rbx, -32
	body	belowFrame, -24(%rbp)

	begin	main
	save	%rbx, 16
	save	%r12, 24
	save	%r13, 32
	xorl	%ebx, %ebx
	xorl	%r12d, %r12d
.Lnext:
	# Rare are the last eight of 1008 calls.
	movq	%rbx, %r13
	cmpq	$1000, %rbx
	jae	.Lcall
	andl	$63, %r13d
.Lcall:
	.irp	name, belowStack, inMemory, belowFrame
	movq	%r13, %rdi
	movq	%rbx, %rsi
	call	\name
	imulq	$31, %r12, %r12
	addq	%rax, %r12
	.endr
	incq	%rbx
	cmpq	$1008, %rbx
	jne	.Lnext
	leaq	.Lformat(%rip), %rdi
	movq	%r12, %rsi
	xorl	%eax, %eax
	call	printf@PLT
	xorl	%eax, %eax
	popq	%r13
	.cfi_def_cfa_offset 24
	popq	%r12
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size	main, .-main

	.section .rodata
.Lformat:
	.asciz	"%ld\n"
	.bss
Memory:	.quad	0
	.section .note.GNU-stack,"",@progbits
