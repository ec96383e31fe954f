# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What would be below the red zone keeps its frame: a signal handler would
# overwrite it.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: {{mov.*}}-0x{{[89a-f][0-9a-f]|[0-9a-f][0-9a-f][0-9a-f]}}(%rsp),
	.include "hot.inc"
	begin
	save rbx
	grow 256
	movq %rdi, 8(%rsp)
	testq %rsi, %rsi
	jne .Lrare
	movq 8(%rsp), %rax
	shrink 256
	restore rbx
	retq
.Lrare:
	again 272
	movq %rdi, %rbx
	callq note@PLT
	addq 8(%rsp), %rax
	addq %rbx, %rax
	shrink 256
	restore rbx
	retq
	finish
