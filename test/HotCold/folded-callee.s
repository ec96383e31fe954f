# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# second() is folded into first(), which is the same. A skipped function (JRCXZ) calls
# it, and hands on what it leaves in %rdi.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -icf=all -verify -v=1 -o %t.hot | FileCheck %s
# RUN: %t.hot
# CHECK: folded 1 out of
	.macro adds name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq %rdi, %rax
	leaq 3(%rdi), %rdi
	testq %rax, %rax
	js 1f
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_def_cfa_offset 16
	movq %rdi, %rbx
	call rare
	addq %rbx, %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text
	.globl rare
	.type rare, @function
rare:	movl $1, %eax
	ret
	.size rare, . - rare

	adds first
	adds second

	.globl between
	.type between, @function
between:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %ecx
	jrcxz 1f
	call second
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size between, . - between

	.globl main
	.type main, @function
main:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	xorl %edi, %edi
	movl $100, %ebx
1:	call between
	call first
	subl $1, %ebx
	jne 1b
	leaq -600(%rdi), %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
