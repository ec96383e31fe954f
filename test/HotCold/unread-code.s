# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With -lite a function that never ran in training is not read. Assembly may
# hand it values in saved registers: OpenSSL's __rsaz_512_mul takes one in rbx
# and one in rbp. Its bytes tell.
#
# REQUIRES: x86_64, gcc
# RUN: rm -f %t.counts
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: graupel-bolt %t -instrument -instrumentation-file=%t.counts -o %t.inst
# RUN: %t.inst
# RUN: %python %tools/exit-code.py 42 %t rare
# RUN: graupel-bolt %t -o %t.opt -data=%t.counts -hco -hco-verify -lite -verify
# RUN: %python %tools/exit-code.py 42 %t.opt rare
# RUN: graupel-bolt %t -o %t.opt -data=%t.counts -hco -hco-verify -lite -hco-random=1
# RUN: %python %tools/exit-code.py 42 %t.opt rare
# RUN: graupel-bolt %t -o %t.opt -data=%t.counts -hco -hco-verify -lite -hco-invert
# RUN: %python %tools/exit-code.py 42 %t.opt rare
#
# The proof finds it out by itself.
# RUN: graupel-bolt %t -o %t.opt -data=%t.counts -hco -lite -v=1 -hco-break-assumption=unread-code 2>&1 | FileCheck %s
# CHECK: the hot version of work{{.*}} cannot be proved right and is not used
# RUN: %python %tools/exit-code.py 42 %t.opt rare

	.text
	.globl	main
	.type	main, @function
main:
	pushq	%r12
	pushq	%r13
	subq	$8, %rsp
	movl	%edi, %r13d
	movl	$100000, %r12d
.Lnext:
	movl	%r12d, %edi
	movl	$5, %esi
	call	work
	decl	%r12d
	jne	.Lnext
	xorl	%eax, %eax
	cmpl	$2, %r13d
	jl	.Lend
	movl	$-21, %edi
	movl	$21, %esi
	call	work
.Lend:
	addq	$8, %rsp
	popq	%r13
	popq	%r12
	ret
	.size	main, .-main

	.type	work, @function
work:
	pushq	%rbx
	pushq	%rbp
	subq	$8, %rsp
	leal	(%rsi,%rsi), %ebx
	leal	21(%rdi), %ebp
	testl	%edi, %edi
	js	.Lrare
	leal	3(%rdi), %eax
	addq	$8, %rsp
	popq	%rbp
	popq	%rbx
	ret
.Lrare:
	call	helper
	addq	$8, %rsp
	popq	%rbp
	popq	%rbx
	ret
	.size	work, .-work

# Reads what nobody passes by the ABI.
	.type	helper, @function
helper:
	leal	(%rbx,%rbp), %eax
	ret
	.size	helper, .-helper
	.section	.note.GNU-stack, "", @progbits
