# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Half of the calls go a way that calls nobody: it needs no frame, and a stub, as
# frequent as that, builds it for the others.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: testb $0x3, %dil
# CHECK-NEXT: je
# CHECK-NEXT: hot
# CHECK-NEXT: leaq 0x5(%rdi), %rax
# CHECK-NEXT: retq
# CHECK-NEXT: stub {{.*}} ({{[1-9]}}
# CHECK-NEXT: pushq %rbx
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdi, %rbx
	movq %rdx, %rbp
	testb $3, %dil
	je .Lcalls
	leaq 5(%rbx), %rax
	shrink 8
	restore rbp
	restore rbx
	retq
.Lcalls:
	again 32
	callq labs@PLT
	movq %rax, (%rbp)
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
