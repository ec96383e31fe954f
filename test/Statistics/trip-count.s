# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Trip counts, and which procedures are executed most in their entry.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -spike-stats | FileCheck %s
# RUN: %python %tools/exit-code.py 30 %t.o
#
# Executed, instructions x count:
#   loops     3*1 + 30*3 + 3*1 =  96   the loop is entered 3 times, runs 30
#   straight  60*3 + 40*1 + 60*1 = 280 no loop; 20 of 60 skip a block
#   _start    1*12 = 12                no loop
#   twice     5*1 + 15*2 + 5*1 = 40    trip count 3
# In all 428, of which 292 (68.2 %) have a trip count of 1, 40 (9.3 %) of 3
# and 96 (22.4 %) of 10. The entry is the hottest block in 292.
#
# CHECK: Statistics of {{.*}} by {{.*}}.fdata
# CHECK: They executed 428 instructions.
# CHECK: functions blocks instructions bytes
# CHECK-NEXT: whole image 4 10 26
# CHECK-NEXT: executed functions 4 10 26
# CHECK-NEXT: executed blocks 4 10 26
#
# CHECK-LABEL: Trip count of the most executed loop
# CHECK-NEXT: 68.2 % of the executed instructions are in procedures whose most executed loop runs less than 2 times for each time it is entered, 77.6 % below 4. The highest trip count is 10.0.
# CHECK-NEXT: 68.2 % are in procedures of which no block is executed more often than the entry.
# CHECK: trip count procedures instructions cumulative
# CHECK-NEXT: < 2 2 68.2 % 68.2 %
# CHECK-NEXT: < 4 1 9.3 % 77.6 %
# CHECK-NEXT: < 8 0 0.0 % 77.6 %
# CHECK-NEXT: < 16 1 22.4 % 100.0 %
#
# Figure 4: without the procedure that loops 10 times, 332 instructions. The
# block of _start ran once, at or below the threshold of 1: its 12 instructions
# are more than 1 % of 428, so the threshold is 0 and nothing is filtered.
# CHECK-LABEL: Blocks of procedures with a trip count below 4
# CHECK-NEXT: 77.6 % of the executed instructions are in these procedures.
# CHECK: blocks procedures cumulative hot: procedures hot: cumulative
# CHECK-NEXT: 1 1 3.6 % 1 3.6 %
# CHECK-NEXT: 2 0 3.6 % 0 3.6 %
# CHECK-NEXT: 3-4 2 100.0 % 2 100.0 %
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 loops 0 0 3
# FDATA: 1 loops #Lback1# 1 loops #Lhead1# 0 27
# FDATA: 1 loops #Lback1# 1 loops #Lexit1# 0 3
# FDATA: 1 loops #Lenter1# 1 loops #Lhead1# 0 3
# FDATA: 0 [unknown] 0 1 straight 0 0 60
# FDATA: 1 straight #Lfork2# 1 straight #Lover2# 0 20
# FDATA: 1 straight #Lfork2# 1 straight #Lmost2# 0 40
# FDATA: 1 straight #Lmost2# 1 straight #Lover2# 0 40
# FDATA: 0 [unknown] 0 1 twice 0 0 5
# FDATA: 1 twice #Lback3# 1 twice #Lhead3# 0 10
# FDATA: 1 twice #Lback3# 1 twice #Lexit3# 0 5
# FDATA: 1 twice #Lenter3# 1 twice #Lhead3# 0 5
	.text
	.globl loops
	.type loops,@function
loops:
Lenter1:
	movl $10, %ecx
Lhead1:
	addl $1, %eax
	decl %ecx
Lback1:
	jne Lhead1
Lexit1:
	retq
	.size loops, .-loops

	.globl straight
	.type straight,@function
straight:
	addl $4, %eax
	testl %edi, %edi
Lfork2:
	jne Lover2
Lmost2:
	addl $1, %eax
Lover2:
	retq
	.size straight, .-straight

	.globl twice
	.type twice,@function
twice:
Lenter3:
	movl $15, %ecx
Lhead3:
	decl %ecx
Lback3:
	jne Lhead3
Lexit3:
	retq
	.size twice, .-twice

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
	xorl %eax, %eax
	callq loops
	addl $5, %eax
	addl $5, %eax
	addl $5, %eax
	callq straight
	callq twice
	movl %eax, %edi
	movl $60, %eax
	xorl %edx, %edx
	syscall
	.size _start, .-_start
