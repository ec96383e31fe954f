# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly calls tables functions (nasm's "global table:function", as in xvidcore).
# Their symbols are right in the output although no code is there.
#
# REQUIRES: x86_64, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: gcc %s -Wl,--emit-relocs -o %t/object
# RUN: graupel-bolt %t/object -o %t/plain -verify
# RUN: %t/plain | FileCheck %s
# RUN: graupel-bolt %t/object -o %t/instrumented -verify -instrument \
# RUN:   -instrumentation-file=%t/profile
# RUN: %t/instrumented | FileCheck %s
# RUN: graupel-bolt %t/object -o %t/faster -verify -data=%t/profile
# RUN: %t/faster | FileCheck %s
# CHECK: sum 18

	.text
	.globl	main
	.type	main, @function
main:
	subq	$8, %rsp
	movl	table+8(%rip), %esi
	addl	counter(%rip), %esi
	leaq	format(%rip), %rdi
	xorl	%eax, %eax
	callq	printf@PLT
	xorl	%eax, %eax
	addq	$8, %rsp
	ret
	.size	main, . - main

	.section .rodata
	.globl	table
	.type	table, @function
table:
	.long	5, 6, 7
	.size	table, . - table
format:
	.asciz	"sum %d\n"

	.data
	.globl	counter
	.type	counter, @function
counter:
	.long	11
	.size	counter, . - counter
	.section .note.GNU-stack, "", @progbits
