# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# asks() reads %rdi behind its call of between(), which jumps to adds() by a pointer and
# stays where it is, since the jumps that it computes are not understood.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -no-pie -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -verify -print-protected -o %t.hot | FileCheck %s
# RUN: %t.hot
# CHECK: between left as it is: it computes jumps from differences of labels
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
	movq %rbx, %rcx
	andl $1, %ecx
	leaq 1f(%rip), %rdx
	movslq (%rdx,%rcx,4), %rcx
	addq %rdx, %rcx
	jmp *%rcx
1:	.long 2f - 1b
	.long 3f - 1b
2:	nop
3:	jmp *pointer(%rip)
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

	.data
pointer: .quad adds
	.section .note.GNU-stack, "", @progbits
