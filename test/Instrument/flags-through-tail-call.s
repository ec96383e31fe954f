# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare() returns flags, by way of a function that it jumps to, and of one that calls
# it and is skipped (JRCXZ). No counter there changes them.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile -verify
# RUN: %t.counted
	.text
	.type leaves, @function
leaves:
	.cfi_startproc
	movl %eax, %r10d
	ret
	.cfi_endproc
	.size leaves, . - leaves

	.type compare, @function
compare:
	.cfi_startproc
	cmpl %edi, %esi
	jmp leaves
	.cfi_endproc
	.size compare, . - compare

	.type passes, @function
passes:
	.cfi_startproc
	movl $1, %ecx
	jrcxz 1f
	call compare
	call leaves
1:	ret
	.cfi_endproc
	.size passes, . - passes

	.globl main
	.type main, @function
main:
	.cfi_startproc
	movl $5, %edi
	movl $5, %esi
	call compare
	jne 1f
	incl %esi
	call compare
	je 1f
	call passes
	je 1f
	decl %esi
	call passes
	jne 1f
	xorl %eax, %eax
	ret
1:	movl $1, %eax
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
