# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A sum that only the rare code needs stays if the jump there tests its flags.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: addq %rsi, %rcx
# CHECK-NEXT: jne
	.include "hot.inc"
	begin
	save rbx
	movq %rdx, %rbx
	xorl %ecx, %ecx
	addq %rsi, %rcx
	jne .Lrare
	movq %rdi, %rax
	restore rbx
	retq
.Lrare:
	again 16
	leaq (%rdi,%rcx), %rdi
	callq note@PLT
	movq %rax, (%rbx)
	restore rbx
	retq
	finish
