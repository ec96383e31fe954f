# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two switches in a loop whose tables' addresses are loaded before it, the way
# GCC 12 does at -O2 -fPIE when calls in the loop leave it registers: llvm-bolt
# leaves the function alone, graupel-bolt splits it by its profile.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --train "50 abababa" --test "50 abababa" --test "3 cadaeafbgc g eeddccbbaa abcdefgabcdefg" --recovers 1
#
# RUN: %build-work -o %t.exe
# RUN: graupel-bolt -v=1 %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata | FileCheck %s
# RUN: %t.i 50 abababa > %t.trained
# RUN: %t.exe 50 abababa | diff - %t.trained
# RUN: graupel-bolt %t.exe -o %t.o -data=%t.fdata -layout=spike -print-split-decisions > %t.log
# RUN: FileCheck %s < %t.log
# RUN: FileCheck %s --check-prefix=SPLIT < %t.log
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
# CHECK: GRAUPEL-INFO: understood the indirect jumps of 1 more functions than llvm-bolt
# SPLIT: {{^}}work: split
# SYMBOLS: {{[tT]}} work.cold.0
#
# Nobody asked:
# RUN: graupel-bolt export %t.fdata -o %t.text
# RUN: llvm-bolt %t.exe -o %t.o -data=%t.text -reorder-blocks=ext-tsp -split-functions
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=LEFT-ALONE
# RUN: graupel-bolt -v=1 %t.exe -o %t.o -data=%t.fdata -recover-branches=false -layout=spike > %t.log
# RUN: FileCheck %s --check-prefix=SILENT < %t.log
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=LEFT-ALONE
# RUN: %t.o 50 abababa | diff - %t.trained
# RUN: graupel-bolt -v=1 %t.exe -o %t.o -data=%t.fdata -layout=none -reorder-blocks=ext-tsp -split-functions > %t.log
# RUN: FileCheck %s --check-prefix=SILENT < %t.log
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=LEFT-ALONE
# RUN: %t.o 50 abababa | diff - %t.trained
# RUN: graupel-bolt -v=1 %t.exe -o %t.o -data=%t.fdata -stock-pipeline -reorder-blocks=ext-tsp -split-functions > %t.log
# RUN: FileCheck %s --check-prefix=SILENT < %t.log
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=LEFT-ALONE
# RUN: %t.o 50 abababa | diff - %t.trained
# SILENT-NOT: understood the indirect jumps
# SILENT: BOLT-INFO
# SILENT-NOT: understood the indirect jumps
# LEFT-ALONE-NOT: work.cold
# LEFT-ALONE: {{[tT]}} work
# LEFT-ALONE-NOT: work.cold
	.include "work.inc"
	begin
	leaq .Lfirst(%rip), %rbx
	leaq .Lsecond(%rip), %rbp
.Lnext:
	letter 6
	dispatch %rbx
.La:
	addq $1, %r13
	movl %r13d, %eax
	andl $3, %eax
	dispatch %rbp
.Lb:
	apply note
	jmp .Lnext
.Lc:
	bulk
	jmp .Lnext
.Ld:
	xorq $0x55, %r13
	jmp .Lnext
.Le:
	bulk
	apply add5
	jmp .Lnext
.L0:
	addq $100, %r13
	jmp .Lnext
.L1:
	leaq (%r13,%r13,2), %r13
	jmp .Lnext
	finish
	table .Lfirst, .La, .Lb, .Lc, .Ld, .Le, .Ld, .La
	table .Lsecond, .L0, .L1, .Lnext, .Lc
