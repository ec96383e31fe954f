# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Registers that instructions use without naming them are not free, and what they make is no result of one register.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdx, %rbx
	movq %rdi, %rax
	imulq $37, %rdi, %rbp
	movq %rdi, %rcx
	andl $7, %ecx
	shrq %cl, %rbp
	mulq %rbp
	addq %rdx, %rax
	testq %rsi, %rsi
	cmovneq %rbp, %rax
	movq %rax, (%rbx)
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	callq note@PLT
	addq %rbp, %rax
	movq %rax, 8(%rbx)
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
