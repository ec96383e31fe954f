# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The second byte of a register has no name beside the registers that need a REX prefix.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: pushq %rbx
# CHECK: movq %rdi, %rbx
# CHECK-NEXT: movzbl %bh, %eax
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
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
