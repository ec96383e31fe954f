# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A value that is pushed and popped is no save.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: leaq 0x9(%rdi), %rbx
# CHECK: pushq %rbx
# CHECK: popq %rax
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	leaq 9(%rdi), %rbx
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	leaq 1(%rdi), %rbx
	popq %rax
	.cfi_adjust_cfa_offset -8
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movq %rbx, %rdi
	callq note@PLT
	addq %rbx, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
