# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Another function jumps into the loop with another table in the base register, as
# a .cold part written by hand could. Recovered or not, it must run right.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbdbcabc a bdabdcddbz abdddczabdacbad dabdada aba bdc cbdba"
	.include "work.inc"
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
	incq %r13
	cmpb $'d', (%r12)
	je elsewhere
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
	table .Lsecond, .Lb, .Ld, .Lnext, .Lc
	table .Lthird, .Ld, .Lc, .Lb, .La
	.text
	.type elsewhere,@function
elsewhere:
	leaq .Lthird(%rip), %rbx
	addq $77, %r13
	jmp .Lnext
	.size elsewhere, .-elsewhere
