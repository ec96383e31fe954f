# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function whose frame ends with leave returns the address of another: nothing
# is added to it.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t.exe --emit-relocs
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected -stress-layout=3 | FileCheck %s --implicit-check-not='left as it is'
# CHECK: graupel-bolt: verified
# RUN: %t.o
	.text
	.type target, @function
target:	movl $0, %eax
	retq
	.size target, . - target

	.type chosen, @function
chosen:	pushq %rbp
	movq %rsp, %rbp
	subq $16, %rsp
	leaq target(%rip), %rax
	leave
	retq
	.size chosen, . - chosen

	.globl _start
	.type _start, @function
_start:	callq chosen
	callq *%rax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, . - _start
