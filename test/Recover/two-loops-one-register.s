# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two loops have their tables' addresses in one register. Each switch leads into
# its own loop only, which is known once it is known which table it reads.
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
	apply note
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	leaq .Lsecond(%rip), %rbx
.Lagain:
	letter 3
	dispatch %rbx
.L0:
	leaq (%r13,%r13,2), %r13
	jmp .Lagain
.L1:
	bulk
	jmp .Lagain
.L2:
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .L0, .L1, .L2, .L0
