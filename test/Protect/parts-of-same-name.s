# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two files have a function of the same name with a cold part each, and no symbol
# says which file is which: libgcc's in static programs. A switch with an entry
# that leads into its own function's part keeps all entries, whichever function
# the part is taken for a part of.
#
# REQUIRES: x86_64, gcc, clang
# RUN: gcc -c -Wa,--defsym,SECOND=0 %s -o %t.1.o
# RUN: gcc -c -Wa,--defsym,SECOND=1 %s -o %t.2.o
# RUN: gcc %t.1.o %t.2.o -Wl,--emit-relocs -o %t.bfd
# RUN: clang -fuse-ld=lld %t.1.o %t.2.o -Wl,--emit-relocs -o %t.lld
# RUN: %t.bfd && %t.lld
# RUN: graupel-bolt %t.bfd -o %t.bfd.o -verify && %t.bfd.o
# RUN: graupel-bolt %t.lld -o %t.lld.o -verify && %t.lld.o
# RUN: graupel-bolt %t.lld -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
# RUN: graupel-bolt %t.lld -o %t.p -data=%t.gprofile -hco -hco-growth=1000 -verify && %t.p
	.text
	.type pick, @function
pick:	cmpl $5, %edi
	ja 9f
	leaq table(%rip), %rdx
	movl %edi, %edi
	movslq (%rdx,%rdi,4), %rax
	addq %rdx, %rax
	jmpq *%rax
0:	movl $10 + SECOND, %eax
	retq
1:	movl $20 + SECOND, %eax
	retq
3:	movl $30 + SECOND, %eax
	retq
4:	movl $40 + SECOND, %eax
	retq
9:	jmp pick.cold
	.size pick, . - pick

	.section .text.unlikely, "ax", @progbits
	.type pick.cold, @function
pick.cold:
	movl $90 + SECOND, %eax
	retq
	.size pick.cold, . - pick.cold

	.section .rodata
	.p2align 2
table:	.long 0b - table, 1b - table, pick.cold - table, 3b - table
	.long 4b - table, pick.cold - table

	.text
# The sum of what pick() returns for 0 to 6.
.if SECOND
	.globl second
	.type second, @function
second:
.else
	.globl first
	.type first, @function
first:
.endif
	pushq %rbx
	pushq %rbp
	xorl %ebx, %ebx
	xorl %ebp, %ebp
1:	movl %ebp, %edi
	callq pick
	addl %eax, %ebx
	incl %ebp
	cmpl $7, %ebp
	jne 1b
	movl %ebx, %eax
	popq %rbp
	popq %rbx
	retq
.if SECOND
	.size second, . - second
.else
	.size first, . - first
	.globl main
	.type main, @function
main:	pushq %rbx
	callq first
	subl $370, %eax
	movl %eax, %ebx
	callq second
	subl $377, %eax
	orl %ebx, %eax
	setne %al
	movzbl %al, %eax
	popq %rbx
	retq
	.size main, . - main
.endif
	.section .note.GNU-stack, "", @progbits
