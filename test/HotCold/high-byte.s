# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The second byte of a register has no name beside the registers that need a REX prefix.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, %rbx
	movzbl %bh, %eax
	addq %rbx, %rax
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	callq note@PLT
	addq %rbx, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
