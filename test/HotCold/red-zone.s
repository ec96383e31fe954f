# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Variables stay where they are, in the red zone, and the stub's saves leave them
# alone.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: movq %rdi, -0x20(%rsp)
# CHECK-NEXT: movq %rdx, -0x18(%rsp)
# CHECK-NEXT: testq %rsi, %rsi
# CHECK-NEXT: jne
# CHECK-NEXT: hot
# CHECK-NEXT: movq -0x20(%rsp), %rax
# CHECK-NEXT: retq
# CHECK-NEXT: stub
# CHECK-NEXT: pushq %rbx
# CHECK: leaq -0x20(%rsp), %rsp
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	grow 32
	movq %rdi, 8(%rsp)
	movq %rdx, 16(%rsp)
	testq %rsi, %rsi
	jne .Lrare
	movq 8(%rsp), %rax
	shrink 32
	restore rbx
	retq
.Lrare:
	again 48
	movq %rdi, %rbx
	callq note@PLT
	addq 8(%rsp), %rax
	addq %rbx, %rax
	movq 16(%rsp), %rdx
	movq %rax, (%rdx)
	shrink 32
	restore rbx
	retq
	finish
