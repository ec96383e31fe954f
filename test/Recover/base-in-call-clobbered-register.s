# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The base register is one that calls may change. One function keeps it (as with
# GCC's -fipa-ra), the other puts another table's address there: the register
# cannot be said to hold the table after either.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	.text
	.type exchange,@function
exchange:
	leaq .Lsecond(%rip), %r11
	movq %rdi, %rax
	retq
	.size exchange, .-exchange
	.type stay,@function
stay:
	leaq 1(%rdi), %rax
	retq
	.size stay, .-stay
	begin
	leaq .Lfirst(%rip), %r11
	leaq .Lthird(%rip), %rbp
.Lnext:
	letter 3
	dispatch %r11
.La:
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	movq %r13, %rdi
	callq exchange
	movq %rax, %r13
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	movq %r13, %rdi
	callq stay
	leaq 5(%rax), %r13
	jmp .Lnext
.Lback:
	incq %r13
	leaq .Lfirst(%rip), %r11
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Ld, .La, .Lback, .Lb
	table .Lthird, .Lback, .Lc, .Lb, .Ld
