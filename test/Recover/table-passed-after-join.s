# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The register that holds the table at the jump is read elsewhere, where it holds
# the table or something else. Recovered or not, it must run right.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bzaaccddbz abcddczabacbad dadada az bz cz"
	.include "work.inc"
	.text
	.type look,@function
look:
	xorl %eax, %eax
	cmpl $0, 12(%rdi)
	setne %al
	movq %rdi, Kept(%rip)
	retq
	.size look, .-look
	begin
	leaq .Lsecond(%rip), %rbp
	leaq .Lwords(%rip), %r14
.Lnext:
	leaq .Lfirst(%rip), %rbx
	letter 3
	cmpb $'z', (%r12)
	je .Llook
	cmpl $1, %eax
	jbe .Ldispatch
	movq %r14, %rbx
.Llook:
	pushq %rax
	pushq %rax
	movq %rbx, %rdi
	callq look
	addq %rax, %r13
	popq %rax
	popq %rax
	leaq .Lfirst(%rip), %rbx
.Ldispatch:
	dispatch %rbx
.La:
	addq $1, %r13
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	incq %r13
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
.Lwords:
	.long 1, 2, 3, 5, 8
