# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A caller that knows its callee keeps values where the ABI lets callees write
# (gcc -fipa-ra). The hot version writes no register that its original leaves
# alone: none is free here but RAX and RCX, and those are in use.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t
# RUN: llvm-objdump -d --disassemble-symbols=worker %t.o | FileCheck %s --check-prefix=CODE
# CODE-NOT: %r{{8|9|10|11}}
	.include "hot.inc"
	begin
	pushq %rdx
	.cfi_adjust_cfa_offset 8
	movq $71, %r8
	movq $72, %r9
	movq $73, %r10
	movq $74, %r11
	callq worker
	addq %r8, %rax
	addq %r9, %rax
	addq %r10, %rax
	addq %r11, %rax
	popq %rdx
	.cfi_adjust_cfa_offset -8
	retq
	.cfi_endproc
	.size work, .-work
	.type worker, @function
worker:
	.cfi_startproc
	.set depth, 8
	save rbx
	save rbp
	movq %rdi, %rbx
	imulq $3, %rdi, %rbp
	leaq (%rbx,%rsi), %rcx
	leaq (%rcx,%rbp), %rax
	testq %rsi, %rsi
	jne .Lrare
	addq %rbx, %rax
	restore rbp
	restore rbx
	retq
.Lrare:
	again 24
	addq %rbp, %rcx
	leaq (%rbx,%rcx), %rax
	imulq $5, %rax
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size worker, .-worker
	.section .note.GNU-stack,"",@progbits
