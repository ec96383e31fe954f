# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A copy is as good as the original where two ways join, if neither changes one of
# them; then only the rare code needs it. One way here changes the other copy's.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: %rcx
# CHECK: movq %rdx, %r8
# CHECK-NOT: %rcx
# CHECK: leaq (%rdi,%r9), %rax
# CHECK-NOT: %rcx
# CHECK: addq (%r8), %rax
# CHECK: stub
# CHECK: movq %rdi, %rcx
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdi, %rcx
	movq %rdx, %r8
	movl $3, %r9d
	testb $1, %dil
	je .Ljoin
	movl $9, %r9d
	addq $8, %rdx
.Ljoin:
	leaq (%rcx,%r9), %rax
	addq (%r8), %rax
	movq %rax, (%rdx)
	testq %rsi, %rsi
	jne .Lrare
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rcx, %rbx
	movq %rax, %rbp
	callq note@PLT
	addq %rbp, %rax
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
