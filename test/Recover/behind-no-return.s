# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In front of the loop's head is a call that never returns, behind which the
# base register would hold something else. The function that is called has no
# return; with one that is never reached (the second run), the switch cannot be
# understood; nor with a jump into the middle of an instruction, where a return
# may be (the third); nor if only its name says that it does not return.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 1 --train "50 abababa" --test "50 abababa" --test "3 cadbcbcabc a bbaaccbb abccbabacbad"
# RUN: sed 's/^# never: //' %s > %t.returns.s
# RUN: %differential %t.returns.s %S/Inputs/run.c --out %t.returns --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaaccbb"
# RUN: sed 's/^# middle: //' %s > %t.middle.s
# RUN: %differential %t.middle.s %S/Inputs/run.c --out %t.middle --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaaccbb"
# RUN: sed 's/^# never: //; s/give_up/errx/g' %s > %t.named.s
# RUN: %differential %t.named.s %S/Inputs/run.c --out %t.named --compilers gcc --flags="-O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie" --recovers 0 --must-split 0 --train "50 abababa" --test "3 cadbcbcabc a bbaaccbb"
	.include "work.inc"
	.text
	.type give_up,@function
give_up:
	pushq %rbx
	testl %edi, %edi
	je .Lbad
# middle: 	js .Lhidden+1
# middle: .Lhidden:
# middle: 	movl $0xc3c3c3c3, %eax
	callq abort@PLT
# never: 	popq %rbx
# never: 	retq
.Lbad:
	movl $3, %edi
	callq exit@PLT
	.size give_up, .-give_up
	begin
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
.Ld:
	movl $1, %ebx
	movl $1, %edi
	testq %r13, %r13
	jne .La
	callq give_up
.Lnext:
	letter 3
	dispatch %rbx
.La:
	leaq .Lfirst(%rip), %rbx
	addq $1, %r13
	jmp .Lnext
.Lb:
	apply add5
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
