# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A thunk as gcc makes them (-mindirect-branch=thunk) stores the address to call
# over the return address of a call of its own code. A saved register that is
# stored there is not saved, but read.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: work: no advantage: all saved registers are needed
	.include "hot.inc"
	begin
	save rbx
	save rbp
	movq %rdx, %rbp
	leaq target(%rip), %rbx
	callq thunk
	testq %rsi, %rsi
	jne .Lrare
	restore rbp
	restore rbx
	retq
.Lrare:
	again 24
	movq %rax, %rdi
	movq %rax, (%rbp)
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.globl thunk
	.type thunk, @function
thunk:
	.cfi_startproc
	callq 2f
1:	pause
	jmp 1b
2:	movq %rbx, (%rsp)
	retq
	.cfi_endproc
	.size thunk, .-thunk
	.globl target
	.type target, @function
target:
	.cfi_startproc
	leaq 3(%rdi), %rax
	retq
	.cfi_endproc
	.size target, .-target
	.section .note.GNU-stack,"",@progbits
