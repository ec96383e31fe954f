# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The frequent part of a callee takes the place of calls. What is rare in it is
# called, where it begins; so is a loop that goes on for another round.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=work %t.o | FileCheck %s --check-prefix=CODE
# CHECK: work
# CODE-LABEL: <work>:
# CODE-NOT: call
# CODE: leaq 0x7(%rdi)
# CODE-NOT: call
# CODE: cmpq $0x0, -0x8(%rdx,
# CODE-NOT: call
# CODE: retq
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdi, %rbx
	movq %rdx, %rbp
	callq small
	movq %rax, (%rbp)
	movq $1, %rcx
	movq %rbp, %rdx
	callq first
	addq %rax, %rbx
	testq %rsi, %rsi
	jne .Lrare
	movq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rbx, %rdi
	callq note@PLT
	movq %rax, 8(%rbp)
	addq %rbx, %rax
	shrink 8
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type small, @function
small:
	.cfi_startproc
	testq %rsi, %rsi
	jne .Lrest
	leaq 7(%rdi), %rax
	retq
.Lrest:
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq %rdi, %rbx
	callq note@PLT
	addq %rbx, %rax
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size small, .-small
# Where the first word in front of RDX + 8 * RCX is that is not 0.
	.type first, @function
first:
	.cfi_startproc
.Lnext:
	cmpq $0, -8(%rdx,%rcx,8)
	jne .Lfound
	decq %rcx
	jne .Lnext
.Lfound:
	movq %rcx, %rax
	retq
	.cfi_endproc
	.size first, .-first
	.section .note.GNU-stack,"",@progbits
