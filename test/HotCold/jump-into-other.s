# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A jump into the middle of another function is no tail call: whatever the code
# there reads is needed, be it a register that passes nothing by the ABI, and so is
# the frame that it takes down. Such a function has no hot version.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work: unsupported: a jump into another procedure
	.include "hot.inc"
	begin
	xorl %eax, %eax
	save r12
	save rbx
	movq %rdi, %r12
	movq %rsi, %rbx
	testq %rsi, %rsi
	je .Lcommon
	leaq 1(%rdi), %rax
	jmp .Lmiddle
.Lcommon:
	jmp .Lsum
	.cfi_endproc
	.size work, .-work
	.globl other
	.type other, @function
other:
	.cfi_startproc
	xorl %eax, %eax
	pushq %r12
	.cfi_adjust_cfa_offset 8
	.cfi_offset %r12, -16
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -24
	movq %rdi, %r12
	movq %rsi, %rbx
.Lsum:
	leaq 7(%rax,%rsi), %rax
.Lmiddle:
	addq %rbx, %rax
	addq %r12, %rax
	movq %rax, (%rdx)
	popq %rbx
	.cfi_adjust_cfa_offset -8
	popq %r12
	.cfi_adjust_cfa_offset -8
	retq
	.cfi_endproc
	.size other, .-other
	.section .note.GNU-stack,"",@progbits
