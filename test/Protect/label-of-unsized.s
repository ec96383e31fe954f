# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function without a size that jumps to one of its labels by a pointer in data.
# When BOLT reads the pointers, it does not know yet that the function goes that
# far.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
# CHECK: f left as it is: data holds the address of an instruction in it
# RUN: %t.o
	.text
	.globl f
	.type f, @function
f:	movl %edi, %eax
	jmp *.Lpointer(%rip)
	movl $1, %eax
.Lback:	subl $5, %eax
	movl %eax, %ecx
	andl $1, %ecx
	leaq .Ltable(%rip), %rsi
	movslq (%rsi,%rcx,4), %rcx
	addq %rsi, %rcx
	jmp *%rcx

	.globl g
	.type g, @function
g:	movl %eax, %eax
	ret
	.size g, . - g

	.globl main
	.type main, @function
main:	subq $8, %rsp
	movl $5, %edi
	call f
	addq $8, %rsp
	ret
	.size main, . - main

	.section .data.rel.ro, "aw", @progbits
	.p2align 3
.Lpointer: .quad .Lback
	.section .rodata
	.p2align 2
.Ltable: .long g - .Ltable, g - .Ltable
	.section .note.GNU-stack, "", @progbits
