# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jumps into the middle of other functions, as GMP's divisions have: the place is
# an entry, whoever jumps there: a function that is optimized, or one that stays.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: %differential %s --out %t.ignored --compilers gcc --must-split 0 --flags="-O2" --options="-skip-funcs=shortcut"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -print-cfg -print-only=whole | FileCheck %s
# CHECK: IsMultiEntry: 1
# CHECK: Secondary Entry Point
# RUN: %t.o
	.text
	.globl whole
	.type whole, @function
whole:	movl %edi, %eax
	testl %edi, %edi
	jne 1f
	movl $50, %eax
	retq
1:	leal 1(%rax,%rax), %eax
.Lsecond:
	addl %esi, %eax
	decl %edi
	jns 1b
	retq
	.size whole, . - whole

	.globl shortcut
	.type shortcut, @function
shortcut:
	movl $4, %eax
	testl %edi, %edi
	js 2f
	jmp .Lsecond
2:	negl %edi
	cmpl $3, %edi
	je .Lsecond
	movl %edi, %eax
	retq
	.size shortcut, . - shortcut

	.globl main
	.type main, @function
main:	pushq %rbx
	pushq %rbp
	xorl %ebx, %ebx
	movl $1000, %ebp
3:	movl %ebp, %edi
	andl $7, %edi
	subl $4, %edi
	movl $2, %esi
	callq shortcut
	addl %eax, %ebx
	movl %ebp, %edi
	andl $3, %edi
	movl $1, %esi
	callq whole
	addl %eax, %ebx
	decl %ebp
	jne 3b
	xorl %eax, %eax
	cmpl $66875, %ebx
	setne %al
	popq %rbp
	popq %rbx
	retq
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
