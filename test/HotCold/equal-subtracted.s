# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A copy is subtracted from its original. The hot version subtracts the register
# from itself, which reads nothing; the proof must know that both make 0.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: subq %rdi, %rdi
# CHECK: stub
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	movq %rdi, %rbx
	movq %rdi, %rcx
	subq %rcx, %rdi
	testq %rsi, %rsi
	jne .Lrare
	leaq 3(%rdi), %rax
	restore rbx
	retq
.Lrare:
	again 16
	callq note@PLT
	addq %rbx, %rax
	restore rbx
	retq
	finish
