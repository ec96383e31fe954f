# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The base register is used for other things in between, but at the jump it holds
# one table, loaded on several paths. The calls keep it.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 1 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	begin
	leaq .Lsecond(%rip), %rbp
	cmpb $'a', (%r12)
	jne .Lother
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
.Lother:
	leaq .Lfirst(%rip), %rbx
	addq $7, %r13
.Lnext:
	letter 3
	dispatch %rbx
.La:
	addq $1, %r13
	movl $3, %ebx
.Lagain:
	decl %ebx
	jne .Lagain
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	apply note
	jmp .Lnext
.L0:
	apply add5
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
.L1:
	movl $40, %ebx
	addq %rbx, %r13
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Lb
	table .Lsecond, .L0, .L1, .L0, .L1
