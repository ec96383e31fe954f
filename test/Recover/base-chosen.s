# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One of two tables is chosen before the loop, by a branch or by a conditional
# move.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	begin
	leaq .Lfirst(%rip), %rbx
	cmpb $'a', (%r12)
	je .Lchosen
	leaq .Lsecond(%rip), %rbx
.Lchosen:
	leaq .Lthird(%rip), %rbp
	leaq .Lfourth(%rip), %rax
	cmpb $'b', 1(%r12)
	cmoveq %rax, %rbp
.Lnext:
	letter 3
	dispatch %rbx
.La:
	addq $1, %r13
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	apply note
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	imulq $3, %r13, %r13
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Ld, .La, .Lb, .Lc
	table .Lthird, .Lb, .Ld, .Lnext, .Lc
	table .Lfourth, .Lc, .Lb, .Ld, .Lnext
