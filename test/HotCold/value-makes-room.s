# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RAX is pushed to make room where it holds nothing; where it was assigned to, that
# may be an argument of the call, and stays.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work: no advantage: a value is pushed
	.include "hot.inc"
	begin
	movb $1, %al
	cmpq $100000, %rdi
	je .Lleave
	save rbx
	save rbp
	pushq %rax
	.set depth, depth + 8
	.cfi_def_cfa_offset depth
	leaq 9(%rdi), %rbx
	movq %rdx, %rbp
	callq labs@PLT
	cmpq $9, %rbx
	je .Lrare
	shrink 8
	restore rbp
	restore rbx
.Lleave:
	retq
.Lrare:
	again 32
	movq %rbx, (%rbp)
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
