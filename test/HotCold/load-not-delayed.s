# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A load that only rare code needs is not delayed beyond a store that may change what it reads.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movq (%rdx), %r
# CHECK: movq %rdi, (%rdx)
# CHECK: stub
# CHECK-NOT: movq (%rdx)
# CHECK-NOT: work:
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq (%rdx), %rbx
	movq %rdi, (%rdx)
	leaq 1(%rdi), %rax
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
