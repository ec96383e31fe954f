# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Greedy chains of one function: the heavier side of each branch falls through,
# a loop is rotated so that its lightest edge is cut, and chains follow by their
# most executed block.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -layout-steps=chain -print-chains | FileCheck %s
# RUN: llvm-objdump -d --no-show-raw-insn --no-addresses --disassemble-symbols=work %t.o | FileCheck %s --check-prefix=CODE
# RUN: %python %tools/exit-code.py 42 %t.o
#
# Blocks: 0 entry, 1 rare, 2 often, 3 loop, 4 never, 5 latch, 6 return.
# CHECK:      chains of work:
# CHECK-NEXT:   chain 0 (count 900): 0 2 3 5 6
# CHECK-NEXT:   chain 1 (count 10): 1
# CHECK-NEXT:   chain 2 (count 0): 4
# CHECK:      GRAUPEL-INFO: chaining changed the block order of 1 functions
#
# CODE-LABEL: <work>:
# CODE:      testl %edi
# CODE-NEXT: jne
# CODE-NEXT: addl $0x2, %eax
# CODE:      testl %esi
# CODE-NEXT: jne
# CODE-NEXT: decl %ecx
# CODE-NEXT: jne
# CODE-NEXT: retq
# CODE-NEXT: addl $0x1, %eax
# CODE-NEXT: jmp
# CODE-NEXT: addl $0x4d, %eax
# CODE-NEXT: jmp
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 work 0 0 100
# FDATA: 1 work #Lfork# 1 work #Loften# 0 90
# FDATA: 1 work #Lfork# 1 work #Lrare# 0 10
# FDATA: 1 work #Lrarejump# 1 work #Lloop# 0 10
# FDATA: 1 work #Loften# 1 work #Lloop# 0 90
# FDATA: 1 work #Ltest# 1 work #Llatch# 0 900
# FDATA: 1 work #Lagain# 1 work #Lloop# 0 800
# FDATA: 1 work #Lagain# 1 work #Lreturn# 0 100
	.text
	.globl work
	.type work,@function
work:
	xorl %eax, %eax
	movl $10, %ecx
	testl %edi, %edi
Lfork:
	je Loften
Lrare:
	addl $1, %eax
Lrarejump:
	jmp Lloop
Loften:
	addl $2, %eax
Lloop:
	addl $4, %eax
	testl %esi, %esi
Ltest:
	je Llatch
Lnever:
	addl $77, %eax
Llatch:
	decl %ecx
Lagain:
	jne Lloop
Lreturn:
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
