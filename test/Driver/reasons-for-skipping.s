# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Skipped functions have the true reason: data that was read as code is told from
# code, and -skip-funcs is the reason for the functions that it names only.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: graupel-bolt %t -o %t.o -verify -v=1 | FileCheck %s --check-prefixes=CHECK,ALL
# RUN: %t.o
# RUN: graupel-bolt %t -o %t.o -verify -v=1 '-skip-funcs=main,inside.*' | FileCheck %s --check-prefixes=CHECK,NAMED
# RUN: %t.o
# CHECK: graupel-bolt: skipped {{[0-9]+}} functions:
# NAMED-DAG: main (the options leave it out)
# NAMED-DAG: inside (the options leave it out)
# ALL-DAG: inside (it has data among its instructions)
# CHECK-DAG: outside (what is right behind it is no padding)
# CHECK-DAG: nosize (it {{has|seems to have}} data among its instructions)
# CHECK-DAG: constant (it seems to have data among its instructions)
# CHECK-DAG: likebranch (it has data among its instructions)
# CHECK-DAG: away (it has data among its instructions)
# CHECK-DAG: here (data in away looks like a branch to the middle of one of its instructions)
# CHECK-DAG: caller (it branches to the middle of an instruction of called)
# CHECK-DAG: called (caller branches to the middle of one of its instructions)
# CHECK-DAG: labeled (symbols or unwind records contradict its size)
# CHECK-NOT: (
# CHECK: graupel-bolt: wrote
	.macro begin name
	.p2align 4
	.type \name, @function
\name:
	movl %edi, %eax
1:	subl $1, %eax
	cmpl $100, %eax
	ja 1b
	retq
	.endm
	.macro ident
	.asciz "Rounds for x86_64, written by <someone@example.org>"
	.endm

	.text
	.globl main
	.type main, @function
main:
	.irp name, inside, outside, nosize, constant, likebranch, away, here, caller, called, labeled, last
	movl $120, %edi
	callq \name
	.endr
	xorl %eax, %eax
	retq
	.size main, . - main

	begin inside
	ident
	.p2align 6
	.size inside, . - inside

	begin outside
	.size outside, . - outside
	ident

	begin nosize
	ident

	.p2align 4
	.type constant, @function
constant:
	movl %edi, %eax
	leaq .Lconstant(%rip), %rdx
	addl (%rdx), %eax
	retq
	.p2align 5
.Lconstant:
	.long 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
	.size constant, . - constant

	begin likebranch
	.byte 0xeb, 0xf6
	.size likebranch, . - likebranch

	begin away
	.byte 0xe8
	.long here + 1 - . - 4
	.size away, . - away

	begin here
	.size here, . - here

	.p2align 4
	.type caller, @function
caller:
	cmpl $120, %edi
	jne called + 1
	retq
	.size caller, . - caller

	begin called
	.size called, . - called

	.p2align 4
	.type labeled, @function
labeled:
	movl %edi, %eax
	.type part, @object
part:
	addl $5, %eax
	.size part, . - part
	retq
	.size labeled, . - labeled

	begin last
	.size last, . - last
	.section .note.GNU-stack, "", @progbits
