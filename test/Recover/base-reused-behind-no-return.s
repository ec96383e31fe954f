# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What follows a call that never returns finds data by the register that holds the
# switch's table at the call: it is reached from elsewhere, with another pointer.
# With a return that is never reached (the last two runs) the function stays.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 1 --train "50 abababa" --test "50 abababa" --test "3 cabcbcabc a bbaaccbb abccbabacba"
# RUN: %build-work -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.out -print-protected -verify | FileCheck %s
# CHECK-NOT: work left as it is
# CHECK: optimized {{([0-9]+) of \1}} functions
# RUN: sed 's/^# never: //' %s > %t.returns.s
# RUN: gcc -O2 -nostartfiles -Wa,-I%S/Inputs -fPIE -pie -Wl,--emit-relocs %t.returns.s %S/Inputs/run.c -o %t.returns
# RUN: graupel-bolt %t.returns -o %t.out -print-protected -verify | FileCheck %s --check-prefix=STAYS
# STAYS: work left as it is: it finds other data by the address of a switch's table
	.include "work.inc"
	.text
	.type give_up,@function
give_up:
	testl %edi, %edi
	je .Lbad
	callq abort@PLT
# never: 	retq
.Lbad:
	movl $3, %edi
	callq exit@PLT
	.size give_up, .-give_up
	begin
	leaq .Lfirst(%rip), %rbx
.Lnext:
	letter 3
	dispatch %rbx
.Ld:
	movl $1, %edi
	callq give_up
.Lread:
	addl 8(%rbx), %r13d
	leaq .Lfirst(%rip), %rbx
	jmp .Lnext
.La:
	addq $1, %r13
	jmp .Lnext
.Lb:
	apply add5
	leaq .Lnumbers(%rip), %rbx
	jmp .Lread
.Lc:
	bulk
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld
	.section .rodata
	.balign 4
.Lnumbers:
	.long 1, 2, 3, 4
