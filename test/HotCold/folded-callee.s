# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# second() is folded into first(), which is the same. A skipped function (JRCXZ) calls
# it, and hands on what it leaves in %rdi.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -icf=all -verify -v=1 -o %t.hot | FileCheck %s
# RUN: %t.hot
# CHECK: folded 1 out of
	.include "conventions.inc"

	.text
	define_rare

	define_adds first
	define_adds second

	begin between
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %ecx
	jrcxz 1f
	call second
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	finish between

	begin main
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
	finish main
	.section .note.GNU-stack, "", @progbits
