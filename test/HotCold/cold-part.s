# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a compiler puts into a cold part of its own (.cold) is no callee, although a
# jump leads there: it has the frame, restores what is saved in it, and jumps back.
# Such a function comes back with the stack of its caller, and so do its
# callers.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK-NOT: work: unsupported
# CHECK: work: no advantage
	.include "hot.inc"
	begin
	save r12
	save rbx
	movq %rdi, %r12
	movq %rdx, %rbx
	testq %rsi, %rsi
	jne .Lrare
	callq inner
	movq %rax, (%rbx)
	restore rbx
	restore r12
	retq
	again 24
.Lrare:
	movq %rsi, %rdi
	callq inner
	addq %rax, %r12
	movq %r12, (%rbx)
	restore rbx
	restore r12
	retq
	.cfi_endproc
	.size work, .-work
	.type inner, @function
inner:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq 3(%rdi), %rbx
	cmpq $1, %rdi
	jne inner.cold
.Lback:
	movq %rbx, %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size inner, .-inner
	.section .text.unlikely,"ax",@progbits
	.type inner.cold, @function
inner.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	incq %rbx
	cmpq $5, %rdi
	je .Lback
	leaq 1(%rbx), %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size inner.cold, .-inner.cold
	.section .note.GNU-stack,"",@progbits
