# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Callees of assembly restore the saved registers by other means than pop: by mov
# from the stack, by leave, through a copy of the stack pointer. Each still gives
# them back, so that what work() put there before its calls is needed behind them.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK: movq %rdi, %rbx
# CHECK: callq "bymov
	.include "hot.inc"
	begin
	save rbx
	save rbp
	save r12
	movq %rdi, %rbx
	movq %rdx, %rbp
	testq %rsi, %rsi
	jne .Lrare
	callq bymov
	movq %rbx, %rdi
	callq byleave
	addq %rbx, %rax
	leaq 5(%rbx), %rdi
	callq bycopy
	addq %rbx, %rax
	movq %rax, (%rbp)
	restore r12
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rbx, %rdi
	callq note@PLT
	leaq 3(%rax), %r12
	movq %rbx, %rdi
	callq bymov
	movq %r12, %rdi
	callq bycopy
	addq %r12, %rax
	addq %rbx, %rax
	movq %rax, (%rbp)
	restore r12
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.macro body
	.rept 40
	imulq $31, %rbx, %rbx
	leaq 7(%rbx,%rbp), %rbp
	.endr
	leaq (%rbx,%rbp), %rax
	.endm
	.type bymov, @function
bymov:
	.cfi_startproc
	pushq %rbx
	pushq %rbp
	xorl %ebp, %ebp
	movq %rdi, %rbx
	body
	movq (%rsp), %rbp
	movq 8(%rsp), %rbx
	addq $16, %rsp
	retq
	.cfi_endproc
	.size bymov, .-bymov
	.type byleave, @function
byleave:
	.cfi_startproc
	pushq %rbp
	movq %rsp, %rbp
	subq $32, %rsp
	movq %rbx, -8(%rbp)
	movq %rdi, %rbx
	movq %rbp, -16(%rbp)
	xorl %ebp, %ebp
	body
	movq 16(%rsp), %rbp
	movq -8(%rbp), %rbx
	leave
	retq
	.cfi_endproc
	.size byleave, .-byleave
	.type bycopy, @function
bycopy:
	.cfi_startproc
	movq %rsp, %rax
	pushq %rbx
	pushq %rbp
	subq $64, %rsp
	andq $-64, %rsp
	movq %rax, 56(%rsp)
	movq %rdi, %rbx
	xorl %ebp, %ebp
	body
	movq 56(%rsp), %rsi
	movq -16(%rsi), %rbp
	movq -8(%rsi), %rbx
	leaq (%rsi), %rsp
	retq
	.cfi_endproc
	.size bycopy, .-bycopy
	.section .note.GNU-stack,"",@progbits
