# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A switch one of whose entries leads to another function, as tail calls by table
# in assembly do: the entries behind that one belong to the table, too. Once with
# distances, once with addresses.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -no-pie -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
# CHECK-DAG: pick{{.*}} left as it is: a switch of it has more entries than are understood
# CHECK-DAG: choose{{.*}} left as it is: a switch of it has more entries than are understood
# RUN: %t.o
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
# RUN: %t.i
# RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -layout=spike -verify
# RUN: %t.p
	.text
	.globl other
	.type other, @function
other:	movl $100, %eax
	retq
	.size other, . - other

	.globl pick
	.type pick, @function
pick:	cmpl $5, %edi
	ja 9f
	leaq distances(%rip), %rdx
	movl %edi, %edi
	movslq (%rdx,%rdi,4), %rax
	addq %rdx, %rax
	jmpq *%rax
0:	movl $10, %eax
	retq
1:	movl $20, %eax
	retq
3:	movl $30, %eax
	retq
4:	movl $40, %eax
	retq
9:	movl $50, %eax
	retq
	.size pick, . - pick
	.section .rodata
	.p2align 3
distances:
	.long 0b - distances, 1b - distances, other - distances
	.long 3b - distances, 4b - distances, other - distances

	.text
	.globl choose
	.type choose, @function
choose:	cmpl $5, %edi
	ja 9f
	movl %edi, %edi
	jmpq *addresses(,%rdi,8)
0:	movl $10, %eax
	retq
1:	movl $20, %eax
	retq
3:	movl $30, %eax
	retq
4:	movl $40, %eax
	retq
9:	movl $50, %eax
	retq
	.size choose, . - choose
	.section .rodata
	.p2align 3
addresses:
	.quad 0b, 1b, other, 3b, 4b, other

	.text
	.globl main
	.type main, @function
main:	pushq %rbx
	pushq %rbp
	pushq %rax
	xorl %ebx, %ebx
	xorl %ebp, %ebp
1:	movl %ebp, %edi
	callq pick
	addl %eax, %ebx
	movl %ebp, %edi
	callq choose
	subl %eax, %ebx
	cmpl $100, %eax
	sete %al
	movzbl %al, %eax
	addl %eax, %ebx
	incl %ebp
	cmpl $7, %ebp
	jne 1b
	xorl %eax, %eax
	cmpl $2, %ebx
	setne %al
	popq %rcx
	popq %rbp
	popq %rbx
	retq
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
