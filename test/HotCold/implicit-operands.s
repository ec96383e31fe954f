# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Registers that instructions use without naming them are not free, and what they make is no result of one register.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movq %rdx, %[[OUT:r[0-9]+]]
# CHECK: movq %rdi, %rcx
# CHECK-NEXT: andl $0x7, %ecx
# CHECK-NEXT: shrq %cl, %[[R:r[a-z0-9]+]]
# CHECK-NEXT: mulq %[[R]]
# CHECK-NEXT: addq %rdx, %rax
# CHECK: movq %rax, (%[[OUT]])
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=swap | FileCheck %s --check-prefix=SWAPPED
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
# SWAPPED: work: found
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdx, %rbx
	movq %rdi, %rax
	imulq $37, %rdi, %rbp
	movq %rdi, %rcx
	andl $7, %ecx
	shrq %cl, %rbp
	mulq %rbp
	addq %rdx, %rax
	testq %rsi, %rsi
	cmovneq %rbp, %rax
	movq %rax, (%rbx)
	jne .Lrare
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
