# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the first hot version leaves cold gets one of its own in the next round: one
# call in eight goes a way that calls nobody, behind a test that the first hot
# version answers with a stub.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: testb $0x7, %dil
# CHECK-NEXT: je
# CHECK-NEXT: hot
# CHECK-NEXT: pushq %rbx
# CHECK-NOT: hot
# CHECK: leaq -0x10(%rsp), %rsp
# CHECK: hot
# CHECK-NEXT: leaq 0x5(%rdi), %rax
# CHECK-NEXT: retq
# CHECK: stub
# CHECK: movq %rbp, 0x8(%rsp)
# CHECK: leaq 0x3(%rdi), %r12
	.include "hot.inc"
	begin
	save rbx
	save rbp
	save r12
	movq %rdi, %rbx
	movq %rdx, %rbp
	leaq 3(%rdi), %r12
	testb $7, %dil
	je .Lseldom
	leaq 5(%rbx), %rax
	restore r12
	restore rbp
	restore rbx
	retq
.Lseldom:
	again 32
	testq %rsi, %rsi
	jne .Lrare
	movq %rbx, %rdi
	callq labs@PLT
	addq %rbx, %rax
	restore r12
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	callq labs@PLT
	movq %rax, (%rbp)
	addq %rbx, %rax
	addq %r12, %rax
	restore r12
	restore rbp
	restore rbx
	retq
	finish
