# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# SBB of a register with itself reads the carry and nothing else, and OR of all
# ones nothing at all: registers that are renamed need not hold what others held.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: pushq
# CHECK: sbbq %[[R:r[a-z0-9]+]], %[[R]]
# CHECK: orq $-0x1, %[[R]]
# CHECK: retq
# CHECK: stub
# CHECK: pushq %rbx
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	cmpq $100, %rdi
	sbbq %rbx, %rbx
	leaq (%rbx,%rdi,4), %rax
	movq %rax, (%rdx)
	orq $-1, %rbx
	addq %rdi, %rbx
	movq %rbx, 8(%rdx)
	testq %rsi, %rsi
	jne .Lrare
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	callq labs@PLT
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
