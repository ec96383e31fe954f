# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is called through a pointer reads the flags as its caller left them, and stays
# where it is: it has no flow graph when counters are placed.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile -verify
# RUN: %t.counted
	.section kept, "ax", @progbits
	.type taker, @function
taker:
	.cfi_startproc
	pushfq
	.cfi_adjust_cfa_offset 8
	popq %rax
	.cfi_adjust_cfa_offset -8
	andl $1, %eax
	ret
	.cfi_endproc
	.size taker, . - taker

	.data
pointer: .quad taker

	.text
	.globl main
	.type main, @function
main:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq __start_kept(%rip), %rax
	leaq __stop_kept(%rip), %rdx
	cmpq %rax, %rdx
	jbe 2f
	movl $3, %ebx
1:	testl %edi, %edi
	stc
	call *pointer(%rip)
	cmpl $1, %eax
	jne 2f
	subl $1, %ebx
	jne 1b
	xorl %eax, %eax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
2:
	.cfi_def_cfa_offset 16
	movl $1, %eax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
