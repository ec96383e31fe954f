# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function jumps into its own middle, to an address that its caller computed and
# passed: not a tail call, although the function itself computes no address.
#
# REQUIRES: x86_64, gcc
# RUN: %same-work --must-split 0 --train "50 abababa" --test "50 abababa" --test "3 a zzz abcdefg"
	.text
	.globl inner
	.type inner,@function
inner:
	cmpq $1000000, %rdi
	ja .Lrare
	addq $5, %rdi
.Lrare:
	jmpq *%rdx
	ud2
.Lmid:
	leaq 9(%rdi), %rax
	retq
	.size inner, .-inner

	.globl work
	.type work,@function
work:
	pushq %rbx
	movq %rdi, %rbx
	xorl %eax, %eax
.Lnext:
	movzbl (%rbx), %edi
	testl %edi, %edi
	je .Lend
	incq %rbx
	addq %rax, %rdi
	leaq .Lmid(%rip), %rdx
	callq inner
	jmp .Lnext
.Lend:
	popq %rbx
	retq
	.size work, .-work
	.section .note.GNU-stack,"",@progbits
