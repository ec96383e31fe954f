# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One register holds one table at one jump and another at the other, loaded anew
# for each. Recovered or not, it must run right.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccddbb abcddcbabacbad dadada"
	.include "work.inc"
	begin
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
	leaq .Lsecond(%rip), %rbx
.Lagain:
	incq %r14
	testq $3, %r14
	jne .Lagain
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbx
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
