# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jumps that can only leave the function: to a method whose address is loaded in
# the same block or an earlier one, and to a function that was passed in.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --recovers 6 --train "50 abababcdefgh" --test "50 abababa" --test "3 abcdefgh bdfh aaccee ffgghh"
#
# RUN: %build-work -o %t.exe
# RUN: graupel-bolt -v=1 %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata | FileCheck %s
# RUN: %t.i 50 abababcdefgh > %t.trained
# RUN: %t.exe 50 abababcdefgh | diff - %t.trained
# RUN: graupel-bolt %t.exe -o %t.o -data=%t.fdata -layout=spike -print-split-decisions > %t.log
# RUN: FileCheck %s < %t.log
# RUN: FileCheck %s --check-prefix=SPLIT < %t.log
# RUN: %t.o 50 abababcdefgh | diff - %t.trained
# CHECK: GRAUPEL-INFO: understood the indirect jumps of 6 more functions than llvm-bolt
# SPLIT-DAG: {{^}}register_same_block: split
# SPLIT-DAG: {{^}}member: split
# SPLIT-DAG: {{^}}global: split
# SPLIT-DAG: {{^}}earlier_block: split
# SPLIT-DAG: {{^}}parameter: split
# SPLIT-DAG: {{^}}either: split
	.include "work.inc"

# Functions of (number, object, function): those above 2000 never run.
	.macro caller name
	.text
	.globl \name
	.type \name,@function
\name:
	.cfi_startproc
	cmpq $2000000, %rdi
	jbe .Lusual\name
	.rept 20
	addq $1000, %rdi
	.endr
	movq %rdi, %rax
	retq
.Lusual\name:
	.endm
	.macro called name
	.cfi_endproc
	.size \name, .-\name
	.endm

	caller register_same_block
	movq 8(%rsi), %rax
	jmpq *%rax
	called register_same_block

	caller member
	jmpq *16(%rsi)
	called member

	caller global
	jmpq *Current(%rip)
	called global

	caller earlier_block
	movq 8(%rsi), %rax
	testq $1, %rdi
	je .Leven
	incq %rdi
.Leven:
	jmpq *%rax
	called earlier_block

	caller parameter
	testq $1, %rdi
	jne .Lodd
	incq %rdi
.Lodd:
	jmpq *%rdx
	called parameter

# Loaded on one path, passed in on the other.
	caller either
	testq $1, %rdi
	jne .Lgo
	movq 16(%rsi), %rdx
.Lgo:
	jmpq *%rdx
	called either

	.macro try name object function
	leaq Objects(%rip), %rsi
	addq $24 * \object, %rsi
	movq \function@GOTPCREL(%rip), %rdx
	movq %r13, %rdi
	andl $0xfffff, %edi
	callq \name
	addq %rax, %r13
	.endm

	begin
.Lnext:
	letter 7
	cmpl $1, %eax
	ja .Lrare
	try register_same_block 0 add5
	try member 0 add5
	try global 1 add5
	jmp .Lnext
.Lrare:
	testl $1, %eax
	jne .Lrarer
	try earlier_block 1 add5
	try parameter 1 times3
	jmp .Lnext
.Lrarer:
	try either 0 times3
	try register_same_block 1 times3
	try member 1 times3
	jmp .Lnext
	finish
