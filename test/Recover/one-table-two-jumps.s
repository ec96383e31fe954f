# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two jumps through one table that is loaded before the loop: BOLT cannot
# duplicate it, so the function is left alone.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 0 --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 cadaeafbgc g eeddccbbaa abcdefgabcdefg"
	.include "work.inc"
	begin
	leaq .Ltable(%rip), %rbx
.Lnext:
	letter 3
	dispatch %rbx
.La:
	addq $1, %r13
	movzbl (%r12), %eax
	andl $3, %eax
	dispatch %rbx
.Lb:
	apply note
	jmp .Lnext
.Lc:
	cmpb $0, (%r12)
	je .Lnext
	addq $9, %r13
	jmp .Lnext
.Ld:
	xorq $0x55, %r13
	bulk
	jmp .Lnext
	finish
	table .Ltable, .Lc, .Lb, .Lc, .Ld
