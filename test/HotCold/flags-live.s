# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What computes flags that the rare code tests stays, and no stub changes them.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: stub
# CHECK-NOT: {{(sub|add|and)q}}
# CHECK-NOT: work:
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, %rax
	movq %rdi, %rbx
	cmpq $1, %rsi
	je .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	setae %bl
	movzbl %bl, %ebx
	callq note@PLT
	addq %rbx, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
