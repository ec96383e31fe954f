# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# adds() takes a value in %r11 that asks() has put there: no parameter by the ABI. Between
# them is a function that is skipped, since JRCXZ cannot become longer, and leaves %r11.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -verify -o %t.hot && %t.hot
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -hco-break-assumption=staying-callers -o %t.hot -v=1 2>&1 | FileCheck %s
# RUN: %t.hot
# CHECK: the hot version of asks cannot be proved right
	.include "conventions.inc"
	.text
	define_rare

	begin adds
	leaq (%rdi,%r11), %rax
	ret
	finish adds

	begin between
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %ecx
	jrcxz 1f
	call adds
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	finish between

	begin asks
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	pushq %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	movq %rdi, %rbx
	leaq 5(%rdi), %r11
	testq %rdi, %rdi
	js 2f
	call between
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
2:
	.cfi_def_cfa_offset 24
	movq %r11, %rbp
	call rare
	addq %rbp, %rax
	addq %rbx, %rax
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish asks

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
	xorl %ebp,%ebp
1:	movl $7,%edi
	movl $99,%r11d
	call asks
	addl %eax, %ebp
	subl $1, %ebx
	jne 1b
	xorl %eax,%eax
	cmpl $19000, %ebp
	setne %al
	addq $8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish main
	.section .note.GNU-stack, "", @progbits
