# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The loop leaves for the function's cold part, which comes back with the table that
# was there. If it comes back with another (the second run), if another function
# enters the part with another (the third), or the function behind its jump (the
# fourth), the switch is not understood; nor if the part has an indirect jump (the
# fifth), or is not local (the sixth). All of them must run right.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 1 --train "50 abababa" --test "50 abababa" --test "3 cabdbcabc a bbaadccbb abccbddabacbad"
# RUN: sed 's/^# changed: //' %s > %t.changed.s
# RUN: %differential %t.changed.s %S/Inputs/run.c --out %t.changed --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaadccbb"
# RUN: sed 's/^# entered: //' %s > %t.entered.s
# RUN: %differential %t.entered.s %S/Inputs/run.c --out %t.entered --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaadccbb"
# RUN: sed 's/^# joined: //' %s > %t.joined.s
# RUN: %differential %t.joined.s %S/Inputs/run.c --out %t.joined --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaadccbb"
# RUN: sed 's/^# indirect: //' %s > %t.indirect.s
# RUN: %differential %t.indirect.s %S/Inputs/run.c --out %t.indirect --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaadccbb"
# RUN: sed 's/^# global: //' %s > %t.global.s
# RUN: %differential %t.global.s %S/Inputs/run.c --out %t.global --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaadccbb"
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
	movl $0, %r14d
# entered: 	movl $1, %r14d
# joined: 	movl $2, %r14d
	cmpl $1, %r14d
	je elsewhere
	ja another
	jmp work.cold
.Lback:
	addq $9, %r13
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	table .Lsecond, .Lc, .La, .Ld, .Lb
	.text
	.p2align 4
	nop
# global: 	.globl work.cold
	.type work.cold,@function
work.cold:
	addq $5, %r13
.Lpart:
# changed: 	leaq .Lsecond(%rip), %rbx
	testq $1, %r13
# indirect: 	leaq add5@PLT(%rip), %rax
# indirect: 	js .Lleave
	je .Lback
	jmp .Lnext
# indirect: .Lleave:
# indirect: 	jmp *%rax
	.size work.cold, .-work.cold
	.p2align 4
	.type elsewhere,@function
elsewhere:
# entered: 	leaq .Lsecond(%rip), %rbx
# entered: 	addq $77, %r13
# entered: 	jmp .Lpart
	ud2
	.size elsewhere, .-elsewhere
	.p2align 4
	.type another,@function
another:
# joined: 	leaq .Lsecond(%rip), %rbx
# joined: 	addq $78, %r13
# joined: 	jmp .Lback
	ud2
	.size another, .-another
