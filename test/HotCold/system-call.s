# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A callee calls the kernel, which overwrites RCX and R11, though LLVM does not say
# so: no value can be kept there meanwhile.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work: no advantage: all saved registers are needed
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movl $1, %ecx
	leaq 3(%rdi,%rcx), %rbx
	movq %rdx, %rbp
	testq %rsi, %rsi
	jne .Lrare
	callq kernel
	addq %rbx, %rax
	movq %rax, (%rbp)
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	callq note@PLT
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
# The process has an id. What else may be overwritten is.
	.type kernel, @function
kernel:
	.cfi_startproc
	movl $39, %eax
	syscall
	testq %rax, %rax
	setg %al
	movzbl %al, %eax
	movl %eax, %edx
	movl %eax, %esi
	movl %eax, %edi
	movl %eax, %r8d
	movl %eax, %r9d
	movl %eax, %r10d
	retq
	.cfi_endproc
	.size kernel, .-kernel
	.section .note.GNU-stack,"",@progbits
