# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Constants that are pushed are told apart.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: pushq $0x5
# CHECK: stub
# CHECK: leaq 0x9(%rdi), %rbx
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	grow 16
	leaq 9(%rdi), %rbx
	pushq $5
	.cfi_adjust_cfa_offset 8
	popq %rax
	.cfi_adjust_cfa_offset -8
	addq %rdi, %rax
	testq %rsi, %rsi
	jne .Lrare
	shrink 16
	restore rbx
	retq
.Lrare:
	again 32
	callq labs@PLT
	addq %rbx, %rax
	shrink 16
	restore rbx
	retq
	finish
