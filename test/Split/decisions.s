# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which functions are split, and why the others are not. One threshold holds for
# the whole program: a function of which all blocks are below it is not split
# however they differ among themselves.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=split -print-split-decisions > %t.log
# RUN: FileCheck %s < %t.log
# RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
# RUN: %python %tools/exit-code.py 33 %t.o
#
# CHECK: GRAUPEL-INFO: splitting at threshold 9: 0.{{[0-9]+}} % of {{[0-9]+}} executed instructions are cold
# CHECK-DAG: hot_and_cold: split
# CHECK-DAG: all_hot: not split: all blocks hot
# CHECK-DAG: all_cold: not split: all blocks cold
# CHECK-DAG: tiny_cold: not split: the hot part would not get smaller
# CHECK: GRAUPEL-INFO: split 1 functions; not split: 2 all hot, 1 all cold, 1 would not get smaller
#
# SYMBOLS-DAG: {{[tT]}} hot_and_cold.cold.0
# SYMBOLS-NOT: {{all_hot|all_cold|tiny_cold}}.cold
#
# A generous share makes the warm function cold, and more is within it.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=split -cold-share=100 -print-split-decisions | FileCheck %s --check-prefix=EVERYTHING
# RUN: %python %tools/exit-code.py 33 %t.o
# EVERYTHING: GRAUPEL-INFO: splitting at threshold 1000: 100.00 %
# EVERYTHING: GRAUPEL-INFO: split 0 functions; not split: 0 all hot, 5 all cold, 0 would not get smaller
#
# The graupel layout moves only what never ran, unless told otherwise.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout-steps=split -print-split-decisions | FileCheck %s --check-prefix=ZERO
# RUN: %python %tools/exit-code.py 33 %t.o
# ZERO: GRAUPEL-INFO: splitting at threshold 0: 0.00 %
# ZERO-DAG: hot_and_cold: not split: all blocks hot
# ZERO-DAG: all_cold: not split: all blocks hot
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout-steps=split -cold-share=1 -print-split-decisions | FileCheck %s
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=split -cold-share=0 -print-split-decisions | FileCheck %s --check-prefix=ZERO
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall1# 1 hot_and_cold 0 0 1000
# FDATA: 1 hot_and_cold #Lfork1# 1 hot_and_cold #Lhot1# 0 993
# FDATA: 1 hot_and_cold #Lfork1# 1 hot_and_cold #Lcold1# 0 7
# FDATA: 1 _start #Lcall2# 1 all_hot 0 0 1000
# FDATA: 1 all_hot #Lfork2# 1 all_hot #Lhot2# 0 400
# FDATA: 1 all_hot #Lfork2# 1 all_hot #Lother2# 0 600
# FDATA: 1 _start #Lcall3# 1 all_cold 0 0 9
# FDATA: 1 all_cold #Lfork3# 1 all_cold #Lhot3# 0 8
# FDATA: 1 all_cold #Lfork3# 1 all_cold #Lcold3# 0 1
# FDATA: 1 _start #Lcall4# 1 tiny_cold 0 0 1000
# FDATA: 1 tiny_cold #Lfork4# 1 tiny_cold #Lhot4# 0 999
# FDATA: 1 tiny_cold #Lfork4# 1 tiny_cold #Lcold4# 0 1
	.macro twenty register=%ecx
	.rept 20
	addl $1000, \register
	.endr
	.endm

	.text
	.globl hot_and_cold
	.type hot_and_cold,@function
hot_and_cold:
	addl $3, %eax
	testl %edi, %edi
Lfork1:
	jne Lcold1
Lhot1:
	addl $30, %eax
	retq
Lcold1:
	twenty
	retq
	.size hot_and_cold, .-hot_and_cold

	.globl all_hot
	.type all_hot,@function
all_hot:
	testl %edi, %edi
Lfork2:
	jne Lother2
Lhot2:
	twenty
	retq
Lother2:
	twenty
	retq
	.size all_hot, .-all_hot

	.globl all_cold
	.type all_cold,@function
all_cold:
	testl %edi, %edi
Lfork3:
	jne Lcold3
Lhot3:
	twenty %edx
	retq
Lcold3:
	twenty %edx
	retq
	.size all_cold, .-all_cold

	# The branch to the cold part would be longer than the cold part.
	.globl tiny_cold
	.type tiny_cold,@function
tiny_cold:
	testl %edi, %edi
Lfork4:
	jne Lcold4
Lhot4:
	movl $0, %ecx
	retq
Lcold4:
	retq
	.size tiny_cold, .-tiny_cold

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
	xorl %eax, %eax
Lcall1:
	callq hot_and_cold
Lcall2:
	callq all_hot
Lcall3:
	callq all_cold
Lcall4:
	callq tiny_cold
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
