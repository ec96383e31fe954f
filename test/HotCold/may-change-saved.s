# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A callee with a convention of its own changes a saved register on some paths. What
# the register held before is still needed behind the call, in the stub, too.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movq %rdi, %r14
# CHECK: callq "maybe
	.include "hot.inc"
	begin
	save r14
	save rbx
	save rbp
	movq %rdx, %rbx
	movl $2, %ebp
	movq %rdi, %r14
.Lagain:
	callq maybe
	decl %ebp
	jne .Lagain
	leaq (%rdi,%rdi), %rax
	testq %rsi, %rsi
	jne .Lrare
	restore rbp
	restore rbx
	restore r14
	retq
.Lrare:
	again 32
	movq %r14, (%rbx)
	restore rbp
	restore rbx
	restore r14
	retq
	.cfi_endproc
	.size work, .-work
	.type maybe, @function
maybe:
	.cfi_startproc
	cmpq $77, %rdi
	jne .Lnot
	movq $5, %r14
.Lnot:
	retq
	.cfi_endproc
	.size maybe, .-maybe
