# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Eight bits of a saved register are set and others are ORed to what was left above
# them; the rare code reads these eight only. The hot version has another register
# for it, with other bits above.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NOT: %rbx
# CHECK: setne %[[R:r[0-9]+]]b
# CHECK-NOT: %rbx
# CHECK: stub
# CHECK: pushq %rbx
# CHECK: movq %[[R]], %rbx
# CHECK-NEXT: orl %edi, %ebx
# CHECK-NOT: work:
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=BROKEN --implicit-check-not="not found"
# BROKEN: work: found [[N:[0-9]+]] of [[N]] faults
	.include "hot.inc"
	begin
	save rbx
	testb $1, %dil
	setne %bl
	orl %edi, %ebx
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
