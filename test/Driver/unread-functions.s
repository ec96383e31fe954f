# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that are left out while the program is read are named with the reason.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: graupel-bolt %t -o %t.o -v=1 | FileCheck %s
# CHECK: graupel-bolt: skipped 3 functions:
# CHECK-DAG: looping (it has a jump that cannot become longer (jrcxz, loop))
# CHECK-DAG: between (it branches to the middle of one of its instructions)
# CHECK-DAG: strange (its instructions cannot be read)
# RUN: %t.o
	.text
	.globl main
	.type main, @function
main:
	.cfi_startproc
	movl $3, %edi
	callq looping
	callq between
	xorl %eax, %eax
	retq
	.cfi_endproc
	.size main, . - main

	.type looping, @function
looping:
	.cfi_startproc
	movq %rdi, %rcx
.Lagain:
	decq %rcx
	jrcxz .Lout
	jmp .Lagain
.Lout:
	retq
	.cfi_endproc
	.size looping, . - looping

	.type between, @function
between:
	.cfi_startproc
	cmpl $1, %ecx
	movl $0x90909090, %eax
	je . - 4
	retq
	.cfi_endproc
	.size between, . - between

	.type strange, @function
strange:
	.cfi_startproc
	.byte 0x06
	retq
	.cfi_endproc
	.size strange, . - strange
	.section .note.GNU-stack, "", @progbits
