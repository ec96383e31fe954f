# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is not known on all ways is not known, and of an address in the frame only
# that the whole of it is not 0. Second bytes are left alone, and the kernel's
# results are not what LLVM says of its calls.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t -hco-growth=100 | FileCheck %s --implicit-check-not=taken
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=work %t.o | FileCheck %s --check-prefix=CODE
# CHECK: work: jne never taken, testq %r11, %r11 not needed: 0x0 (
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=kernel %t.o | FileCheck %s --check-prefix=KERNEL
# CODE-LABEL: <work>:
# CODE: testl %ecx, %ecx
# CODE: testb %ch, %ch
# CODE: testq %r8, %r8
# CODE: testq %r9, %r9
# CODE: call
# CODE: testq %r10, %r10
# CODE-NOT: r11
# CODE: retq
# KERNEL: syscall
# KERNEL-NEXT: cmpq $0x27, %rax
# KERNEL-NEXT: movl $0x5, %eax
# KERNEL-NEXT: j{{n?}}e
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, %rbx
	movq %rdx, %rbp
	leaq 8(%rsp), %rcx
	callq half
	movl $0x100, %ecx
	callq high
	movl $1, %r8d
	testb $1, %dil
	je .Leven
	movl $0, %r8d
.Leven:
	callq ways
	movl $3, %r9d
.Lloop:
	callq plain
	decq %r9
	testq %r9, %r9
	jne .Lloop
	movl $1, %r10d
	xorl %r11d, %r11d
	callq clobber
	callq behind
	movq %rax, %rbx
	callq kernel
	addq %rbx, %rax
	movq %rax, (%rbp)
	shrink 24
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type half, @function
half:
	.cfi_startproc
	leaq 7(%rdi), %rax
	testl %ecx, %ecx
	je .Lno
	movq %rdi, (%rcx)
.Lno:
	retq
	.cfi_endproc
	.size half, .-half
	.type high, @function
high:
	.cfi_startproc
	testb %ch, %ch
	je .Llow
	addq $3, %rax
.Llow:
	retq
	.cfi_endproc
	.size high, .-high
	.type ways, @function
ways:
	.cfi_startproc
	testq %r8, %r8
	je .Lzero
	addq $5, %rax
.Lzero:
	retq
	.cfi_endproc
	.size ways, .-ways
	.type plain, @function
plain:
	.cfi_startproc
	leaq 3(%rax,%rax), %rax
	retq
	.cfi_endproc
	.size plain, .-plain
# Its frame keeps it from being inlined. R11 it leaves alone.
	.type clobber, @function
clobber:
	.cfi_startproc
	pushq %rsi
	.cfi_def_cfa_offset 16
	popq %r10
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size clobber, .-clobber
	.type behind, @function
behind:
	.cfi_startproc
	testq %r10, %r10
	jne .Lsome
	addq $11, %rax
.Lsome:
	testq %r11, %r11
	jne .Lnever
	addq $13, %rax
.Lnever:
	retq
	.cfi_endproc
	.size behind, .-behind
# The number of getpid, which is not its result.
	.type kernel, @function
kernel:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movl $39, %eax
	syscall
	callq compare
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size kernel, .-kernel
	.type compare, @function
compare:
	.cfi_startproc
	cmpq $39, %rax
	movl $5, %eax
	jne .Lother
	movl $4, %eax
.Lother:
	retq
	.cfi_endproc
	.size compare, .-compare
	.section .note.GNU-stack,"",@progbits
