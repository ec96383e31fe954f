# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The address of a variable is computed with: the frame stays.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: leaq {{-0x[0-9a-f]+}}(%rsp), %rsp
# CHECK: leaq 0x{{[0-9a-f]+}}(%rsp), %rcx
# CHECK: stub
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, 8(%rsp)
	leaq 8(%rsp), %rcx
	testq %rsi, %rsi
	jne .Lrare
	addq $5, (%rcx,%rsi,8)
	movq 8(%rsp), %rax
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movq %rdi, %rbx
	movq %rdx, %rbp
	callq note@PLT
	addq 8(%rsp), %rax
	addq %rbx, %rax
	movq %rax, (%rbp)
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
