# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Eight bits of a register leave the others as they were: they are not sunk apart from what they are put into.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movl $0x12345678, %[[R:r[0-9]+]]d
# CHECK: movb %dil, %[[R]]b
# CHECK: movw %di, %bp
# CHECK: stub
# CHECK-NOT: {{mov[bw]}}
# CHECK: movq %[[R]], %rbx
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movl $0x12345678, %ebx
	leaq 1(%rdi), %rax
	movb %dil, %bl
	movw %di, %bp
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movzwl %bp, %ebp
	callq note@PLT
	addq %rbx, %rax
	addq %rbp, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	finish
