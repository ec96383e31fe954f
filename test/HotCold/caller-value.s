# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A register that was saved is stored before it is set, as compilers do with what
# has no value yet: it holds the caller's, and cannot be another one. The other register can.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: pushq %rbx
# CHECK-NOT: pushq
# CHECK: movq %rbx, 0x8(%rsp)
# CHECK-NOT: work:
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rbx, 8(%rsp)
	movq %rdx, %rbx
	imulq $77, %rdi, %rbp
	movq %rbp, (%rbx)
	testq %rsi, %rsi
	jne .Lrare
	leaq 3(%rbp), %rax
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
