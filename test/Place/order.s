# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that call each other often are neighbors; functions without a
# profile come after all others.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
#
# The heaviest edge, middle -> leaf, is merged first; _start joins middle. The
# two unconnected functions follow by density.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=place -print-placement | FileCheck %s --check-prefix=SPIKE
# RUN: llvm-nm -n %t.o | FileCheck %s --check-prefix=SPIKE-ORDER
# RUN: %python %tools/exit-code.py 7 %t.o
# SPIKE:      place 0: _start (
# SPIKE-NEXT: place 1: middle (
# SPIKE-NEXT: place 2: leaf (
# SPIKE-NEXT: place 3: dense (
# SPIKE-NEXT: place 4: sparse (
# SPIKE-NEXT: GRAUPEL-INFO: placed 5 functions and 0 cold parts by 2 call edges
# SPIKE-ORDER:      {{[tT]}} _start
# SPIKE-ORDER-NEXT: {{[tT]}} middle
# SPIKE-ORDER-NEXT: {{[tT]}} leaf
# SPIKE-ORDER-NEXT: {{[tT]}} dense
# SPIKE-ORDER-NEXT: {{[tT]}} sparse
# SPIKE-ORDER:      {{[tT]}} never
#
# Cache-directed placement merges the same two first.
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=graupel -layout-steps=place -print-placement | FileCheck %s --check-prefix=GRAUPEL
# RUN: llvm-nm -n %t.o | FileCheck %s --check-prefix=GRAUPEL-ORDER
# RUN: %python %tools/exit-code.py 7 %t.o
# GRAUPEL:      place 0: leaf (
# GRAUPEL-NEXT: place 1: middle (
# GRAUPEL-NEXT: place 2: _start (
# GRAUPEL-NEXT: place 3: dense (
# GRAUPEL-NEXT: place 4: sparse (
# GRAUPEL-NEXT: GRAUPEL-INFO: placed 5 functions and 0 cold parts by 2 call edges
# GRAUPEL-ORDER:      {{[tT]}} leaf
# GRAUPEL-ORDER-NEXT: {{[tT]}} middle
# GRAUPEL-ORDER:      {{[tT]}} never
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 middle 0 0 50
# FDATA: 1 middle #Lcall2# 1 leaf 0 0 5000
# FDATA: 0 [unknown] 0 1 sparse 0 0 2
# FDATA: 0 [unknown] 0 1 dense 0 0 3
# FDATA: 1 middle #Lagain# 1 middle #Lcall2# 0 4950
# FDATA: 1 middle #Lagain# 1 middle #Lreturn# 0 50
	.text
	.globl never
	.type never,@function
never:
	nop
	retq
	.size never, .-never
	# Room for the alignment that hot functions get.
	.p2align 10

	.globl sparse
	.type sparse,@function
sparse:
	movabsq $0x123456789abcdef0, %rax
	retq
	.size sparse, .-sparse

	.globl leaf
	.type leaf,@function
leaf:
	addl $1, %eax
	retq
	.size leaf, .-leaf

	.globl _start
	.type _start,@function
_start:
	xorl %eax, %eax
Lcall:
	callq middle
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start

	.globl dense
	.type dense,@function
dense:
	cltd
	retq
	.size dense, .-dense

	.globl middle
	.type middle,@function
middle:
	movl $7, %ecx
Lcall2:
	callq leaf
	decl %ecx
Lagain:
	jne Lcall2
Lreturn:
	retq
	.size middle, .-middle
