# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments behind a call: the callee reads them by its return address and goes on
# behind them. Decoded as instructions they would be encoded anew ("HI" are two
# prefixes without effect). Callers stay; so do those of a function that jumps to
# the callee, and of one that adds to its return address where it lies, or takes
# the address of it. Reading, keeping, and returning to one's return address is
# nothing strange, nor is a fence: "lock or $0" on top of the stack.
#
# REQUIRES: x86_64, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: gcc -O1 %S/Inputs/inline-arguments.c %s -Wl,--emit-relocs -o %t/p
# RUN: %t/p > %t/expected
# RUN: graupel-bolt %t/p -o %t/q -print-protected -verify | FileCheck %s
# RUN: %t/q | diff %t/expected -
# RUN: graupel-bolt %t/p -o %t/i -instrument && %t/i | diff %t/expected -
# RUN: graupel-bolt %t/p -o %t/h -data=%t/i.gprofile -hco -hco-growth=1000 -verify
# RUN: %t/h | diff %t/expected -
# RUN: graupel-bolt %t/p -o %t/l -lite -data=%t/i.gprofile -verify && %t/l | diff %t/expected -
#
# CHECK-NOT: {{(sum|indirectly|skip|leap|keeps|fence|ordinary|pic)[^ ]* left as it is}}
# CHECK-DAG: reads left as it is: a callee reads or skips what is behind its call
# CHECK-DAG: readsIndirectly left as it is: a callee reads or skips what is behind its call
# CHECK-DAG: skips left as it is: a callee reads or skips what is behind its call
# CHECK-DAG: leaps left as it is: a callee reads or skips what is behind its call
	.text
	.macro function name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro finish name
	.cfi_endproc
	.size \name, .-\name
	.endm

	.macro reader name, callee
	function \name
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movl %edi, %ebx
	call \callee
	.asciz "HI"
	movabsq $0x0101010101010101, %rdx
	addl %ebx, %eax
	addl %edx, %eax
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish \name
	.endm
	reader reads, sum
	reader readsIndirectly, indirectly

	function sum
	popq %rsi
	.cfi_def_cfa_offset 0
	xorl %eax, %eax
1:	movzbl (%rsi), %ecx
	incq %rsi
	addl %ecx, %eax
	testl %ecx, %ecx
	jne 1b
	jmp *%rsi
	finish sum

	function indirectly
	incl %ebx
	jmp sum
	finish indirectly

	# The callee adds the distance; the byte in between makes another instruction
	# of what follows.
	function skips
	leal 1(%rdi), %eax
	call skip
	.byte 0x48
	.byte 0x49
	addl $7, %eax
	ret
	finish skips

	function skip
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq %rsp, %rbx
	addq $2, 8(%rbx)
	addq $2, 8(%rsp)
	subq $2, 8(%rsp)
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish skip

	function leaps
	movl %edi, %eax
	call leap
	xorq %rax, %rax
	addl $7, %eax
	ret
	finish leaps

	function leap
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq $16, %rsp
	leaq 8(%rbp), %rcx
	addq $3, (%rcx)
	leave
	.cfi_def_cfa %rsp, 8
	ret
	finish leap

	function fence
	lock orq $0, (%rsp)
	lock addl $0, (%rsp)
	ret
	finish fence

	# As vfork does, and who counts callers.
	function keeps
	popq %rdx
	.cfi_def_cfa_offset 0
	movq %rdx, last(%rip)
	leal 3(%rdi), %eax
	pushq %rdx
	.cfi_def_cfa_offset 8
	cmpq %rdx, first(%rip)
	je 1f
	movq (%rsp), %rcx
	movq %rcx, first(%rip)
1:	ret
	finish keeps

	function ordinary
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movl %edi, %ebx
	call keeps
	addl %ebx, %eax
	call pic
	call fence
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish ordinary

	function pic
	call 1f
1:	popq %rdx
	addl number-1b(%rdx), %eax
	ret
	.balign 4
number:	.long 5
	finish pic

	.bss
	.balign 8
first:	.quad 0
last:	.quad 0
	.section .note.GNU-stack,"",@progbits
