# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Behind the loop the base register is made 0 by an exclusive or with itself:
# that does not read the table's address.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 1 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	begin
	leaq .Lfirst(%rip), %rbx
.Lnext:
	letter 3
	dispatch %rbx
.La:
	addq $1, %r13
	jmp .Lnext
.Lb:
	apply add5
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	xorl %ebx, %ebx
.Lsum:
	addq %rbx, %r13
	incl %ebx
	cmpl $5, %ebx
	jne .Lsum
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
