# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A callee that returns with another stack pointer, as helpers for alloca do: its
# callers keep their frames, and have no hot version.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -O2 -I%S/Inputs -Wa,-I%S/Inputs %S/Inputs/run.c %s -Wl,--emit-relocs -o %t
# RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: rm -f %t.gprofile && %t.i 3000 100 > %t.expected
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -hco -hco-growth=1000 -print-hot-cold -v=1 | FileCheck %s
# RUN: %t 3000 7 > %t.expected && %t.o 3000 7 | diff %t.expected -
# CHECK: work: unsupported: a callee that returns elsewhere
	.include "hot.inc"
	begin
	save rbx
	save rbp
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	movq %rdi, %rbx
	callq room
	movq %rbx, 8(%rsp)
	testq %rsi, %rsi
	jne .Lrare
	addq 8(%rsp), %rbx
	movq %rbx, (%rdx)
	movq %rbp, %rsp
	.cfi_remember_state
	.cfi_def_cfa_register %rsp
	restore rbp
	restore rbx
	retq
.Lrare:
	.cfi_restore_state
	imulq 8(%rsp), %rbx
	movq %rbx, (%rdx)
	movq %rbp, %rsp
	.set depth, 24
	.cfi_def_cfa_register %rsp
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work

	# 32 bytes below the caller's frame, for the caller.
	.type room, @function
room:
	.cfi_startproc
	popq %r11
	.cfi_def_cfa_offset 0
	subq $32, %rsp
	.cfi_def_cfa_offset 32
	pushq %r11
	.cfi_def_cfa_offset 40
	retq
	.cfi_endproc
	.size room, .-room

	.section .note.GNU-stack,"",@progbits
