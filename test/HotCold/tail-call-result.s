# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is in the register of a result before a tail call is the result, if the callee
# leaves the register alone: it is needed although nobody reads it here.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: leaq 0x3(%rdi,%rdi), %rax
# CHECK: jmp
	.include "hot.inc"
	begin
	leaq 3(%rdi,%rdi), %rax
	save rbx
	movq %rdx, %rbx
	testq %rsi, %rsi
	jne .Lrare
	restore rbx
	jmp keep
.Lrare:
	again 16
	leaq 1(%rax), %rdi
	callq note@PLT
	movq %rax, (%rbx)
	restore rbx
	retq
	finish
	.text
	.type keep, @function
keep:
	.cfi_startproc
	.rept 40
	imulq $31, %rdi, %rdi
	leaq 7(%rdi), %rdi
	.endr
	movq %rdi, (%rdx)
	retq
	.cfi_endproc
	.size keep, .-keep
	.section .note.GNU-stack,"",@progbits
