# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Behind calls that never return, and behind traps, is code of another place, with
# another depth of the stack. The unwind table says which way there is none. Such a
# function comes back with the stack of its caller, and so do its callers.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
	.include "hot.inc"

	# A function with code behind a call that never returns, which is reached from
	# what follows another call. Of these two ways the first that is looked at
	# must not matter: once the call is before, once behind.
	.macro function name, first, number1, second, number2
	.type \name, @function
\name:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq 3(%rdi), %rbx
	cmpq $\number1, %rdi
	je .L\first\@
	cmpq $\number2, %rdi
	je .L\second\@
	jmp .Lend\@
.Lcalls\@:
	movq %rbx, %rdi
	callq leaf
.Lbehind\@:
	decq %rbx
	js .Lbehind\@
	jmp .Lother\@
.Lends\@:
	pushq $1
	.cfi_def_cfa_offset 24
	pushq $2
	.cfi_def_cfa_offset 32
	callq *stop(%rip)
	.cfi_def_cfa_offset 16
.Lother\@:
	incq %rbx
.Lend\@:
	movq %rbx, %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size \name, .-\name
	.endm

	begin
	save r12
	save rbx
	movq %rdi, %r12
	movq %rdx, %rbx
	testq %rsi, %rsi
	jne .Lrare
	callq before
	callq behind
	callq traps
	movq %rax, (%rbx)
	restore rbx
	restore r12
	retq
	again 24
.Lrare:
	movq %rsi, %rdi
	callq before
	addq %rax, %r12
	movq %r12, (%rbx)
	restore rbx
	restore r12
	retq
	.cfi_endproc
	.size work, .-work

	function before, calls, 5, ends, -1
	function behind, ends, -1, calls, 5

	.type traps, @function
traps:
	.cfi_startproc
	cmpq $-1, %rdi
	je .Ltrap
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq 3(%rdi), %rbx
	cmpq $1, %rdi
	je .Lone
.Lreturn:
	movq %rbx, %rax
	popq %rbx
	.cfi_remember_state
	.cfi_restore %rbx
	.cfi_def_cfa_offset 8
	retq
.Ltrap:
	movl 0, %eax
	ud2
	.cfi_restore_state
.Lone:
	incq %rbx
	jmp .Lreturn
	.cfi_endproc
	.size traps, .-traps

	.type leaf, @function
leaf:
	.cfi_startproc
	leaq 1(%rdi), %rax
	retq
	.cfi_endproc
	.size leaf, .-leaf
	.data
stop:
	.quad abort
	.section .note.GNU-stack,"",@progbits
