# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The base register gets another table's address on one path round the loop: which
# table a jump reads is not known. Both tables are valid, the letter b changes
# from one to the other.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad"
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
	leaq .Lsecond(%rip), %rbx
	apply note
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	imulq $3, %r13, %r13
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Ld, .La, .Lc, .Lb
