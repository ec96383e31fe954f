# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where the greedy chains and the extended-TSP score disagree: greedy chaining
# takes the heaviest edge, 1 -> 3, and then cannot use 0 -> 1 -> 2 -> 3, whose
# edges are worth more together.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=graupel -layout-steps=chain -print-chains | FileCheck %s --check-prefix=TSP
# RUN: %python %tools/exit-code.py 5 %t.o
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=chain -print-chains | FileCheck %s --check-prefix=GREEDY
# RUN: %python %tools/exit-code.py 5 %t.o
#
# TSP: block order of work: 0 1 2 3
# GREEDY:      chains of work:
# GREEDY-NEXT:   chain 0 (count 110): 0 1 3
# GREEDY-NEXT:   chain 1 (count 50): 2
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 work 0 0 110
# FDATA: 1 work #Lfork0# 1 work #Lone# 0 110
# FDATA: 1 work #Lfork1# 1 work #Ltwo# 0 50
# FDATA: 1 work #Lfork1# 1 work #Lthree# 0 60
# FDATA: 1 work #Ltwo# 1 work #Lthree# 0 50
	.text
	.globl work
	.type work,@function
work:
	xorl %eax, %eax
	testl %edi, %edi
Lfork0:
	jne Lthree
Lone:
	addl $1, %eax
	testl %esi, %esi
Lfork1:
	je Lthree
Ltwo:
	addl $2, %eax
Lthree:
	addl $4, %eax
	retq
	.size work, .-work

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
	xorl %esi, %esi
Lcall:
	callq work
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
