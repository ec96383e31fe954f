# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Eight bits of a register leave the others as they were: they are not sunk apart from what they are put into.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movl $0x12345678, %ebx
	leaq 1(%rdi), %rax
	movb %dil, %bl
	movw %di, %bp
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movzwl %bp, %ebp
	callq note@PLT
	addq %rbx, %rax
	addq %rbp, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
