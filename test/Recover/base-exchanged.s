# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writing a part of the base register makes it unknown, and so does exchanging it
# with another.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	begin
	leaq .Lfirst(%rip), %rbx
	leaq .Lsecond(%rip), %rbp
.Lnext:
	letter 3
	dispatch %rbx
.La:
	incq %r13
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	xchgq %rbx, %rbp
	addq $3, %r13
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	xorb $1, %bl
	addq $5, %r13
	xorb $1, %bl
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Lb, .La, .Lc, .Ld
