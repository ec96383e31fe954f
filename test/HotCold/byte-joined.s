# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One way sets a register, the other only eight bits of it, which are all that the
# rare code reads. Under another name the register has other bits above these eight;
# the stub may hand them on, as the caller's register was saved.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: %rb
# CHECK: movb $0x1, %[[R:r[0-9]+]]b
# CHECK: retq
# CHECK: stub
# CHECK: pushq %rbx
# CHECK: movq %[[R]], %rbx
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	testb $1, %dil
	je .Leven
	movl %edi, %ebx
	jmp .Ljoin
.Leven:
	movb $1, %bl
.Ljoin:
	testq %rsi, %rsi
	jne .Lrare
	leaq 3(%rdi), %rax
	restore rbx
	retq
.Lrare:
	again 16
	callq note@PLT
	movzbl %bl, %ebx
	addq %rbx, %rax
	restore rbx
	retq
	finish
