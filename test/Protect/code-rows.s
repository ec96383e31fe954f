# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The elements of a row of small functions are called by their number; only the
# first is named. All of them stay.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t.exe --emit-relocs
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected -stress-layout=3 | FileCheck %s
# CHECK-DAG: INFO: first/1 left as it is: it is an element of an array of code
# CHECK-DAG: INFO: second/1 left as it is: it is an element of an array of code
# CHECK-DAG: INFO: third/1 left as it is: it is an element of an array of code
# CHECK-DAG: INFO: of_four/1 left as it is: it is an element of an array of code
# CHECK-DAG: INFO: of_five/1 left as it is: it is an element of an array of code
# CHECK-NOT: INFO: {{alone|neighbor}} as it is
# CHECK: graupel-bolt: verified
# RUN: %t.o
#
# The same where who calls them is not read.
# RUN: graupel-bolt %t.exe -o %t.o -verify -skip-funcs=_start -stress-layout=3
# RUN: %t.o
	.macro element name value
	.p2align 4
	.type \name, @function
\name:	movl $\value, %eax
	retq
	.size \name, . - \name
	.endm

	.text
	element alone 4000
	element neighbor 5000
	.p2align 6
	.globl _start
	.type _start, @function
_start:	movl $2, %edi
	shlq $4, %rdi
	leaq first(%rip), %rax
	addq %rdi, %rax
	callq *%rax
	movl %eax, %ebx
	movl $1, %edi
	shll $4, %edi
	leaq four(%rip), %rcx
	leaq (%rcx,%rdi), %rax
	callq *%rax
	addl %eax, %ebx
	leaq alone(%rip), %rax
	callq *%rax
	addl %eax, %ebx
	callq neighbor
	addl %eax, %ebx
	movl $60, %eax
	xorl %edi, %edi
	cmpl $9053, %ebx
	setne %dil
	syscall
	hlt
	.size _start, . - _start

	element first 1
	element second 2
	element third 3

	.p2align 8
	.type middle, @function
middle:	.fill 90, 1, 0x90
	retq
	.size middle, . - middle
	element four 40
	element of_four 50
	element of_five 60
