# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly that loads the distance of a label from a table and jumps there, maybe
# behind a loop. It finds constants by the table's address, too, so neither the
# function nor the table may move.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -x assembler-with-cpp %s -Wl,--emit-relocs -o %t && %t
# RUN: graupel-bolt %t -o %t.o -print-protected -verify | FileCheck %s
# RUN: %t.o
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
# RUN: %t.i
# RUN: graupel-bolt %t -o %t.p -data=%t.gprofile -hco -hco-growth=1000 -verify && %t.p
# RUN: graupel-bolt %t -o %t.s -data=%t.gprofile -layout=spike -verify && %t.s
#
# RUN: gcc -x assembler-with-cpp -DLOOP %s -Wl,--emit-relocs -o %t && %t
# RUN: graupel-bolt %t -o %t.o -print-protected -verify | FileCheck %s
# RUN: %t.o
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
# RUN: %t.i
# RUN: graupel-bolt %t -o %t.p -data=%t.gprofile -hco -hco-growth=1000 -verify && %t.p
# RUN: graupel-bolt %t -o %t.s -data=%t.gprofile -layout=spike -verify && %t.s
#
# CHECK: choose left as it is: it finds other data by the address of a switch's table
	.text
	.globl	before
	.type	before, @function
before:
	xor	%eax, %eax
	ret
	.size	before, . - before

# 10, 20 or 30, by what is in %edi.
	.globl	choose
	.type	choose, @function
choose:
	.cfi_startproc
	lea	table(%rip), %r8
	movslq	%edi, %r9
	mov	-4(%r8), %ecx
	movslq	(%r8,%r9,4), %r9
#ifdef LOOP
1:	dec	%ecx
	jg	1b
#endif
	add	%r8, %r9
	jmp	*%r9
.Lone:
	mov	-8(%r8), %eax
	ret
.Ltwo:
	mov	$20, %eax
	ret
.Lthree:
	mov	$30, %eax
	ret
	.cfi_endproc
	.size	choose, . - choose

	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	call	before
	mov	%eax, %edi
	call	choose
	mov	%eax, %ebx
	mov	$1, %edi
	call	choose
	lea	(%rax,%rbx,2), %ebx
	mov	$2, %edi
	call	choose
	lea	(%rax,%rbx,2), %eax
	sub	$110, %eax
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	main, . - main

	.section .rodata, "a"
	.balign	4
	.long	10, 5
table:
	.long	.Lone - table, .Ltwo - table, .Lthree - table
	.section .note.GNU-stack, "", @progbits
