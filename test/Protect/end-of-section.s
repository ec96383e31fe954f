# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The end of a table is where a function begins, since a linker put nothing between
# their sections: __rela_iplt_end and _init in static programs by gold. The address
# means the end; it must not go where the function goes.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t.exe --emit-relocs --no-rosegment
# RUN: llvm-nm %t.exe | FileCheck %s --check-prefix SAME
# SAME: [[#%x,BEGIN:]] {{.}} __stop_records
# SAME: [[#%x,BEGIN]] {{.}} first
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -stress-layout=3 -print-protected | FileCheck %s
# CHECK: first left as it is: the end of a section is its beginning
# RUN: %t.o
	.section records, "a", @progbits
	.p2align 3
	.quad 1, 20, 300

	.text
	.globl first
	.type first, @function
first:	movq %rdi, %rax
	subq %rsi, %rax
	retq
	.size first, . - first

	.globl _start
	.type _start, @function
_start:	movl $__start_records, %edi
	pushq __stop_records@GOTPCREL(%rip)
	popq %rdx
	movl $__stop_records, %ecx
	xorl %ebx, %ebx
	cmpq %rcx, %rdx
	jne 2f
1:	addq (%rdi), %rbx
	addq $8, %rdi
	cmpq %rdx, %rdi
	jb 1b
2:	movq %rbx, %rdi
	movl $321, %esi
	callq first
	movl $60, %eax
	movq %rbx, %rdi
	cmpq $321, %rdi
	setne %dil
	movzbl %dil, %edi
	syscall
	hlt
	.size _start, . - _start
