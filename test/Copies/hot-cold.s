# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Hot-cold optimization of copies finds cold parts without their names:
#
# * inFrame jumps to a part whose unwind record begins with a frame. The part restores
#   a register that the hot version does not save, so the stub before it has to;
# * inRedZone jumps to a part that begins like a function, and reads what is below the
#   stack pointer;
# * tailCalls jumps to code like that which does not: it is called as a function is;
# * known jumps to a part whose address is in data: it may be a function, too.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -pie %s -o %t && %t && rm -f %t.gprofile
# RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
# RUN: graupel-bolt %t -o %t.fast -data=%t.gprofile -copies=always -verify -print-hot-cold > %t.log && %t.fast
# RUN: FileCheck %s < %t.log
# RUN: graupel-bolt %t -o %t.random -data=%t.gprofile -copies=always -verify -hco-random=1 && %t.random
# RUN: graupel-bolt %t -o %t.inverted -data=%t.gprofile -copies=always -verify -hco-invert && %t.inverted
# CHECK-DAG: hot version of inFrame
# CHECK-DAG: known: unsupported: it may be a cold part, or jump to one that is not known

	.macro part name, frame=0
	.section .text.unlikely,"ax",@progbits
\name:	.cfi_startproc
	.if \frame
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	.endif
	.endm

	.macro function name
	.text
	.globl \name
	.p2align 4
	.type \name, @function
\name:	.cfi_startproc
	.endm

	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm

# rdi + 1, or rdi for negative ones.
	function inFrame
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	movq %rdi, %rbx
	testq %rdi, %rdi
	js .LinFrame
	leaq 1(%rbx), %rax
	popq %rbx
	.cfi_adjust_cfa_offset -8
	ret
	end inFrame
	part .LinFrame, frame=1
	movq %rbx, %rax
	popq %rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc

	function inRedZone
	leaq 3(%rdi), %r8
	leaq 5(%rdi,%rdi), %r9
	movq %rdi, -16(%rsp)
	testq %rdi, %rdi
	js .LinRedZone
	leaq 1(%rdi), %rax
	ret
	end inRedZone
	part .LinRedZone
	movq -16(%rsp), %rax
	addq %r8, %rax
	addq %r9, %rax
	subq %rdi, %rax
	subq %rdi, %rax
	subq %rdi, %rax
	subq $8, %rax
	ret
	.cfi_endproc

	function tailCalls
	leaq 3(%rdi), %rsi
	testq %rdi, %rdi
	js .LtailCalls
	leaq 1(%rdi), %rax
	ret
	end tailCalls
	part .LtailCalls
	leaq -3(%rsi), %rax
	ret
	.cfi_endproc

	function known
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	movq %rdi, %rbx
	testq %rdi, %rdi
	js .Lknown
	leaq 1(%rbx), %rax
	popq %rbx
	.cfi_adjust_cfa_offset -8
	ret
	end known
	part .Lknown, frame=1
	movq %rbx, %rax
	popq %rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.section .data.rel.ro,"aw",@progbits
	.quad .Lknown

	.macro check name
	movq %r12, %rdi
	call \name
	xorq %r13, %rax
	orq %rax, %r14
	.endm
	function main
	pushq %r12
	.cfi_adjust_cfa_offset 8
	.cfi_offset %r12, -16
	pushq %r13
	.cfi_adjust_cfa_offset 8
	.cfi_offset %r13, -24
	pushq %r14
	.cfi_adjust_cfa_offset 8
	.cfi_offset %r14, -32
	movq $-10, %r12
	xorl %r14d, %r14d
1:	movq %r12, %r13
	testq %r12, %r12
	js 2f
	incq %r13
2:	check inFrame
	check inRedZone
	check tailCalls
	check known
	incq %r12
	cmpq $100000, %r12
	jne 1b
	xorl %eax, %eax
	testq %r14, %r14
	setne %al
	popq %r14
	.cfi_adjust_cfa_offset -8
	popq %r13
	.cfi_adjust_cfa_offset -8
	popq %r12
	.cfi_adjust_cfa_offset -8
	ret
	end main
	.section .note.GNU-stack,"",@progbits
