# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The hot version calls, and so keeps its frame, every slot of which stays where
# it was. It does not save what it does not change; the stub does.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: %r1{{[2-5]}}
# CHECK: retq
# CHECK: stub
# CHECK: movq %r12, 0x{{[0-9a-f]+}}(%rsp)
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=edge | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save r14
	save r13
	save r12
	save rbx
	grow 24
	movq %rdx, %rbx
	movq %rdi, 8(%rsp)
	testq %rsi, %rsi
	jne .Lrare
	callq twice@PLT
	movq %rax, (%rbx)
	addq 8(%rsp), %rax
	shrink 24
	restore rbx
	restore r12
	restore r13
	restore r14
	retq
.Lrare:
	again 64
	movq %rdi, %r12
	callq note@PLT
	movq %rax, %r13
	movq %r12, %rdi
	callq twice@PLT
	leaq (%r13,%rax), %r14
	callq note@PLT
	addq %r14, %rax
	addq 8(%rsp), %rax
	movq %rax, 8(%rbx)
	shrink 24
	restore rbx
	restore r12
	restore r13
	restore r14
	retq
	finish
