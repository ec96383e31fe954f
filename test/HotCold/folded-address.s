# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where the address of a variable only leads to memory, the way there is from the
# stack pointer: the frame can go.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: movq %rdi, -0x20(%rsp)
# CHECK-NEXT: addq $0x5, -0x20(%rsp)
# CHECK-NEXT: movq -0x20(%rsp), %rax
# CHECK-NEXT: testq
# CHECK: stub
# CHECK: leaq -0x18(%rsp), %rsp
# CHECK: leaq 0x8(%rsp), %rcx
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, 8(%rsp)
	leaq 8(%rsp), %rcx
	addq $5, (%rcx)
	movq 8(%rsp), %rax
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movq %rdi, %rbx
	movq %rdx, %rbp
	callq note@PLT
	addq 8(%rsp), %rax
	addq %rbx, %rax
	movq %rax, (%rbp)
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
