# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly that takes an argument in a register that others save: it gets no other
# name, although its caller has the same in another one.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movq %rdi, %rbx
# CHECK-NEXT: callq
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdi, %rbx
	movq %rdx, %rbp
	callq inrbx
	testq %rsi, %rsi
	jne .Lrare
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rax, %rdi
	callq labs@PLT
	movq %rax, (%rbp)
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type inrbx, @function
inrbx:
	.cfi_startproc
	imulq $31, %rbx, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	imulq %rax, %rax
	addq %rbx, %rax
	retq
	.cfi_endproc
	.size inrbx, .-inrbx
	.section .note.GNU-stack,"",@progbits
