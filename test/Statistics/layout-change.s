# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the layout changes: branches that were taken fall through afterwards, and
# the code that is executed touches less memory.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.plain -data=%t.fdata
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -spike-stats=text -spike-stats-file=%t.txt > %t.log
# RUN: FileCheck %s < %t.txt
# RUN: not grep "Statistics of" %t.log
# RUN: %python %tools/exit-code.py 33 %t.o
#
# To measure changes nothing.
# RUN: %same-output %t.plain %t.o
#
# Before: work jumps over 6 KB that never run 1000 times, out of its loop 1000
# times, and by "jmp" to the loop's head 9000 times. After: the loop has its
# test at the end, and is entered in the middle 1000 times.
#
# CHECK-LABEL: Executed branches, before and after
# CHECK-NEXT: Taken branches: -9.1 %.
# CHECK: before after change
# CHECK-NEXT: taken branches 11,000 10,000 -9.1 %
# CHECK-NEXT: conditional, taken 2,000 10,000 +400.0 %
# CHECK-NEXT: jumps 9,000 0 -100.0 %
# CHECK-NEXT: indirect jumps 0 0
# CHECK-NEXT: tail calls 0 0
# CHECK-NEXT: conditional, not taken 9,000 1,000 -88.9 %
# CHECK-NEXT: fall-throughs 9,000 10,000 +11.1 %
# CHECK-NEXT: calls 1 1 0.0 %
# CHECK-NEXT: returns 1,000 1,000 0.0 %
# CHECK-NEXT: all instructions 42,006 34,006 -19.0 %
#
# Before, the executed part of work is at its two ends. After, it is 21 bytes
# in one place, and _start is 19.
# CHECK-LABEL: Memory that executed code touches, before and after
# CHECK: before after change
# CHECK-NEXT: executed bytes 41 40 -2.4 %
# CHECK-NEXT: 64-byte lines 2 2 0.0 %
# CHECK-NEXT: 4 KB pages 2 1 -50.0 %
#
# CHECK-LABEL: Splitting and code growth
# CHECK: 40 hot and 6,149 cold.
# CHECK: split 1
# CHECK-NEXT: not split: all blocks hot 1
# CHECK-NEXT: not split: no profile 1
#
# The same reasons as -print-split-decisions.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -print-split-decisions | FileCheck %s --check-prefix=DECISIONS
# DECISIONS-DAG: work: split
# DECISIONS-DAG: _start: not split: all blocks hot
#
# Who splits with llvm-bolt's option gets no reasons of ours.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -spike-stats -split-functions | FileCheck %s --check-prefix=THEIRS
# THEIRS: not split: splitting was not Graupel's to do
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 work 0 0 1000
# FDATA: 1 work #Lfork1# 1 work #Lhead1# 0 1000
# FDATA: 1 work #Ltest1# 1 work #Lexit1# 0 1000
# FDATA: 1 work #Ltest1# 1 work #Lbody1# 0 9000
# FDATA: 1 work #Lback1# 1 work #Lhead1# 0 9000
	.text
	.globl _start
	.type _start,@function
_start:
	xorl %eax, %eax
	xorl %edi, %edi
	callq work
	leal 24(%rax), %edi
	movl $60, %eax
	syscall
	.size _start, .-_start

	.globl work
	.type work,@function
work:
	movl $10, %ecx
	testl %edi, %edi
Lfork1:
	je Lhead1
Lrare1:
	.rept 1024
	addl $1000, %edx
	.endr
	nop
Lhead1:
	decl %ecx
Ltest1:
	je Lexit1
Lbody1:
	incl %eax
Lback1:
	jmp Lhead1
Lexit1:
	retq
	.size work, .-work

	.globl unused
	.type unused,@function
unused:
	retq
	.size unused, .-unused
