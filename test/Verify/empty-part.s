# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# GCC makes an empty cold part of what it knows to be unreachable, and a jump to
# it. In an output such a part may lie before anything, as in CPython's: where the
# jump leads does not matter. A call may not lead elsewhere.
#
# REQUIRES: x86_64
# RUN: gcc -no-pie %s -Wl,--emit-relocs -o %t
# RUN: %t
# RUN: graupel-bolt %t -o %t.plain -verify && %t.plain
# RUN: cp %t.plain %t.other && %python %S/Inputs/lead.py %t.other choose ja first
# RUN: elf-verify %t %t.other
# RUN: cp %t.plain %t.wrong && %python %S/Inputs/lead.py %t.wrong main callq first
# RUN: not elf-verify %t %t.wrong 2>&1 | FileCheck %s
# CHECK: the code of first {{.*}} is not that of the input's choose
	.section .text.unlikely,"ax",@progbits
	.type	never, @function
never:
	.cfi_startproc
	ud2
	.cfi_endproc
	.size	never, .-never
	.type	choose.cold, @function
choose.cold:
	.size	choose.cold, .-choose.cold

	.section .text.startup,"ax",@progbits
	.p2align 4
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movl	$2, %edi
	call	choose
	subl	$7, %eax
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	main, .-main

	.text
	.globl	first
	.type	first, @function
first:
	.cfi_startproc
	leal	1(%rdi), %eax
	ret
	.cfi_endproc
	.size	first, .-first

	.globl	second
	.type	second, @function
second:
	.cfi_startproc
	leal	2(%rdi), %eax
	ret
	.cfi_endproc
	.size	second, .-second

	.globl	choose
	.type	choose, @function
choose:
	.cfi_startproc
	cmpl	$3, %edi
	ja	choose.cold
	cmpl	$1, %edi
	je	second
	movl	$7, %eax
	ret
	.cfi_endproc
	.size	choose, .-choose

	.section .note.GNU-stack,"",@progbits
