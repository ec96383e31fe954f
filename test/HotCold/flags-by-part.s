# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is read behind the call is the carry, which BT has written; and the zero flag,
# which DEC and shifts have. So the callee's frame may go, although the stack pointer's
# changes write flags.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -print-hot-cold -verify -o %t.hot | FileCheck %s
# RUN: %t.hot
# CHECK: hot version of step
# CHECK-NOT: flags of the stack pointer
	.include "conventions.inc"
	.text
	define_rare

	begin step
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	subq $16, %rsp
	.cfi_def_cfa_offset 32
	movq %rdi, %rax
	testq %rdi, %rdi
	js 1f
	addq $16, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_def_cfa_offset 32
	movq %rdi, %rbx
	call rare
	addq %rbx, %rax
	addq $16, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish step

	begin main
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	pushq %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	subq $8, %rsp
	.cfi_def_cfa_offset 32
	movl $1000, %ebx
	movl $5, %ebp
1:	movq %rbx, %rdi
	call step
	btl $2, %ebp
	jae 3f
	movq %rbx, %rdi
	call step
	decl %ebx
	je 2f
	movq %rbx, %rdi
	call step
	shll $1, %eax
	jne 1b
2:	movq %rbx, %rdi
	call step
	movl $0, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
3:
	.cfi_def_cfa_offset 32
	ud2
	finish main
	.section .note.GNU-stack, "", @progbits
