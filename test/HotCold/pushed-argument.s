# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A register that its caller owns, pushed as an argument: no save, although the
# register is one that is saved.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot
# CHECK-NEXT: pushq %rbx
# CHECK: leaq 0x5(%rdi), %rbx
# CHECK: subq $0x8, %rsp
# CHECK: pushq %rbx
# CHECK: callq
# CHECK: popq %rcx
	.include "hot.inc"
	begin
	save rbx
	save rbp
	save r12
	movq %rdx, %rbp
	leaq 5(%rdi), %rbx
	testq %rsi, %rsi
	jne .Lrare
	grow 8
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	callq second
	popq %rcx
	.cfi_adjust_cfa_offset -8
	shrink 8
	restore r12
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	callq note@PLT
	movq %rax, %r12
	callq note@PLT
	addq %r12, %rax
	movq %rbx, (%rbp)
	restore r12
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type second, @function
second:
	.cfi_startproc
	movq 8(%rsp), %rax
	retq
	.cfi_endproc
	.size second, .-second
	.section .note.GNU-stack,"",@progbits
