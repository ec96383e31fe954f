# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A register that is saved only to have one more gets another that is free; the
# stub puts its value back. A copy of a parameter needs none at all.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: %rb
# CHECK: retq
# CHECK: stub
# CHECK: pushq %rbx
# CHECK: pushq %rbp
# CHECK-DAG: movq %rdx, %rbx
# CHECK-DAG: movq %r{{[a-z0-9]+}}, %rbp
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdx, %rbx
	imulq $77, %rdi, %rbp
	movq %rbp, (%rbx)
	testq %rsi, %rsi
	jne .Lrare
	leaq 3(%rbp), %rax
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	callq note@PLT
	addq %rbp, %rax
	movq %rax, 8(%rbx)
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
