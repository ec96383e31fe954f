# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The new code takes the place of the old where all of it is known and fits.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: %python %tools/exit-code.py 63 %t
# RUN: graupel-bolt -v=1 %t -o %t.o -data=%t.fdata -layout=graupel > %t.log 2>&1
# RUN: FileCheck %s --check-prefix=REUSED < %t.log
# RUN: %python %tools/exit-code.py 63 %t.o
# RUN: graupel-bolt -v=1 %t -o %t.o -data=%t.fdata -layout=spike > %t.log 2>&1
# RUN: FileCheck %s --check-prefix=REUSED < %t.log
# RUN: %python %tools/exit-code.py 63 %t.o
# RUN: graupel-bolt -v=1 %t -o %t.o -data=%t.fdata -lite=1 > %t.log 2>&1
# RUN: FileCheck %s --check-prefix=LITE < %t.log
# RUN: %python %tools/exit-code.py 63 %t.o
# REUSED: using original .text for new code
# LITE-NOT: using original .text
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 work 0 0 1
# FDATA: 1 work #Ltest# 1 work #Lhot# 0 10
# FDATA: 1 work #Lagain# 1 work #Lloop# 0 9
# FDATA: 1 work #Lagain# 1 work #Lreturn# 0 1
	.text
# New code begins at the next aligned address.
	.globl first
	.type first,@function
first:
	.rept 64
	nop
	.endr
	retq
	.size first, .-first

	.globl odd
	.type odd,@function
odd:
	movl $8, %eax
	retq
	.size odd, .-odd

# Padding, so that the new code surely fits over the old.
	.globl unused
	.type unused,@function
unused:
	.rept 3000
	nop
	.endr
	retq
	.size unused, .-unused

	.globl work
	.type work,@function
work:
	xorl %eax, %eax
	movl $10, %ecx
Lloop:
	testl %ecx, %ecx
Ltest:
	js Lcold
Lhot:
	addl %ecx, %eax
Llatch:
	decl %ecx
Lagain:
	jne Lloop
Lreturn:
	retq
Lcold:
	.rept 20
	addl $1000, %eax
	.endr
	jmp Llatch
	.size work, .-work

	.globl _start
	.type _start,@function
_start:
Lcall:
	callq work
	movl %eax, %ebx
	callq odd
	leal (%rax,%rbx), %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
