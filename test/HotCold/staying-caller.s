# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function between __start_kept and __stop_kept stays as it is. It reads the carry
# behind its calls of flagged(), which the end of that function's frame has cleared, and
# behind a jump; behind those of plain() it reads no flags.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -lite=0 -hco-growth=1000 -print-hot-cold -print-protected -verify -o %t.hot | FileCheck %s
# RUN: %t.hot
#
# If nobody asked what it reads, the proof would reject what comes of it.
# RUN: graupel-bolt %t -data=%t.gprofile -lite=0 -hco-growth=1000 -v=1 -hco-break-assumption=staying-callers -o %t.broken 2>&1 | FileCheck %s --check-prefix=BROKEN
# RUN: %t.broken
# CHECK: stays{{.*}} left as it is: the program asks where its section begins or ends
# CHECK-DAG: hot version of plain
# CHECK-DAG: flagged: no advantage: flags of the stack pointer
# BROKEN: the hot version of flagged cannot be proved right
	.include "conventions.inc"
	.macro frame
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	subq $16, %rsp
	.cfi_def_cfa_offset 32
	.endm
	.macro leave_
	addq $16, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	.endm
	.macro again
	.cfi_def_cfa_offset 32
	.cfi_offset %rbx, -16
	.endm

	.text
	define_rare

	begin flagged
	frame
	movq %rdi, %rax
	testq %rdi, %rdi
	js 1f
	cmpq $500, %rdi
	leave_
	ret
1:	again
	movq %rdi, %rbx
	call rare
	addq %rbx, %rax
	leave_
	ret
	finish flagged

	begin plain
	frame
	movq %rdi, %rax
	testq %rdi, %rdi
	js 1f
	leave_
	ret
1:	again
	movq %rdi, %rbx
	call rare
	addq %rbx, %rax
	leave_
	ret
	finish plain

	.section kept, "ax", @progbits
	.type stays, @function
stays:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	pushq %rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
	subq $8, %rsp
	.cfi_def_cfa_offset 32
	xorl %ebp, %ebp
	movl $1000, %ebx
1:	movq %rbx, %rdi
	call flagged
	jmp 2f
2:	adcl $0, %ebp
	movq %rbx, %rdi
	call plain
	subl $1, %ebx
	jne 1b
	movl %ebp, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	finish stays

	.text
	begin main
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	leaq __start_kept(%rip), %rax
	leaq __stop_kept(%rip), %rdx
	cmpq %rax, %rdx
	jbe 1f
	call stays
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	finish main
	.section .note.GNU-stack, "", @progbits
