# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function without a size, as NASM writes them, has a label behind its return.
# BOLT makes a block of the padding there that is empty.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
# RUN: %t.i
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -hco -hco-growth=1000 -verify
# RUN: %t.o
	.text
	.globl	ends
	.type	ends, @function
ends:
	.cfi_startproc
	lea	1(%rdi), %eax
	ret
ends.end:
	nop
	.cfi_endproc
	.balign	16

	.globl	calls
	.type	calls, @function
calls:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	mov	%edi, %ebx
	call	ends
	add	%ebx, %eax
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	calls, . - calls

	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	mov	$100, %ebx
1:	mov	%ebx, %edi
	call	calls
	dec	%ebx
	jnz	1b
	lea	-3(%rax), %eax
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	main, . - main
	.section .note.GNU-stack, "", @progbits
