# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What only rare code needs is computed there: through a chain, in order. What
# reads or writes flags stays where they are live.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: testq %rsi, %rsi
# CHECK-NEXT: jne
# CHECK: stub
# CHECK: leaq 0x7(%rdi), %rbx
# CHECK-NEXT: leaq (%rbx,%rdi,2), %rbp
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	leaq 7(%rdi), %rbx
	leaq (%rbx,%rdi,2), %rbp
	testq %rsi, %rsi
	jne .Lrare
	leaq 3(%rdi), %rax
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rbx, (%rdx)
	callq note@PLT
	addq %rbx, %rax
	addq %rbp, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
