# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A call through the global offset table that never returns, in a program that is
# not moved: the linker has written there who is called. What is behind the call
# is reached by a jump only, with the flags of a comparison.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -fuse-ld=lld -Wl,--no-relax -no-pie -static -Wl,--emit-relocs -o %t
# RUN: graupel-bolt %t -o %t.i -verify -instrument -instrumentation-file=%t.gprofile | FileCheck %s
# CHECK: verified: {{.*}} instructions as in the input
# RUN: %t.i
	.text
	.globl leave
	.type leave, @function
leave:	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %edi
	call exit
	.cfi_endproc
	.size leave, . - leave

	.globl compare
	.type compare, @function
compare:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	cmpl %esi, %edi
	jae 2f
	cmpl $1000, %edi
	ja 1f
	movl $0, %eax
	jmp 3f
1:	call *leave@GOTPCREL(%rip)
2:	setne %al
	movzbl %al, %eax
3:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size compare, . - compare

	.globl main
	.type main, @function
main:	.cfi_startproc
	movl $5, %edi
	movl $5, %esi
	jmp compare
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
