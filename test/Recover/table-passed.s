# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The table's address is also passed to a function, which reads the table.
# Who keeps it would miss the table once it is moved.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadaeafbgc g eeddccbbaa abcdefgabcdefg"
	.include "work.inc"
	.text
	.type look,@function
look:
	xorl %eax, %eax
	cmpl $0, 12(%rdi)
	setne %al
	retq
	.size look, .-look
	begin
	leaq .Lfirst(%rip), %rbx
	leaq .Lsecond(%rip), %rbp
.Lnext:
	letter 3
	dispatch %rbx
.La:
	addq $1, %r13
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	movq %rbx, %rdi
	callq look
	addq %rax, %r13
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	imulq $3, %r13, %r13
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Lb, .Ld, .Lnext, .Lc
