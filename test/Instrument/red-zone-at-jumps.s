# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A jump may lead back to where the red zone is in use: resume() switches to a
# stack and goes on where it was left. What is recorded at its jump must not
# overwrite the 128 bytes below that stack pointer.
#
# REQUIRES: x86_64
# RUN: gcc -no-pie %s -Wl,--emit-relocs -o %t
# RUN: %t
# RUN: graupel-bolt %t -o %t.counting -instrument -instrumentation-file=%t.profile -verify
# RUN: %t.counting
# RUN: graupel-bolt %t -o %t.faster -data=%t.profile -verify
# RUN: %t.faster
	.text
	.globl	leave
	.type	leave, @function
leave:
	.cfi_startproc
	movq	%rsp, context(%rip)
	leaq	.Lback(%rip), %rax
	movq	%rax, context+8(%rip)
	movq	$42, -8(%rsp)
	movq	$7, -16(%rsp)
	movq	$5, -24(%rsp)
	movq	$3, -32(%rsp)
	leaq	context(%rip), %rdi
	jmp	*resumer(%rip)
.Lback:
	movq	-8(%rsp), %rax
	addq	-16(%rsp), %rax
	addq	-24(%rsp), %rax
	addq	-32(%rsp), %rax
	ret
	.cfi_endproc
	.size	leave, .-leave

	.globl	resume
	.type	resume, @function
resume:
	.cfi_startproc
	movq	(%rdi), %rsp
	jmp	*8(%rdi)
	.cfi_endproc
	.size	resume, .-resume

	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	leave
	cmpq	$57, %rax
	setne	%al
	movzbl	%al, %eax
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	main, .-main

	.data
	.balign	8
resumer:
	.quad	resume

	.bss
	.balign	16
context:
	.zero	16
	.section	.note.GNU-stack,"",@progbits
