# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# asks() reads %rdi behind its call of between(), which has it from adds(): no result by
# the ABI. between() is skipped, since JRCXZ cannot become longer, or because it was
# asked for.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -verify -o %t.hot && %t.hot
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -lite=0 -hco-break-assumption=staying-callers -o %t.hot -v=1 2>&1 | FileCheck %s
# RUN: %t.hot
# CHECK: the hot version of adds cannot be proved right
#
# RUN: gcc %s -DPLAIN -x assembler-with-cpp -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -skip-funcs=between -verify -o %t.hot && %t.hot
	.text
	.globl rare
	.type rare, @function
rare:	movl $1, %eax
	ret
	.size rare, . - rare

	.globl adds
	.type adds, @function
adds:
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
	.size adds, . - adds

	.globl between
	.type between, @function
between:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %ecx
#ifdef PLAIN
	testl %ecx, %ecx
	je 1f
#else
	jrcxz 1f
#endif
	call adds
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size between, . - between

	.globl asks
	.type asks, @function
asks:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	xorl %edi, %edi
	movl $100, %ebx
1:	call between
	subl $1, %ebx
	jne 1b
	movq %rdi, %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size asks, . - asks

	.globl main
	.type main, @function
main:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call asks
	subl $300, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
