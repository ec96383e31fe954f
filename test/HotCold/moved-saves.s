# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The frequent part of a callee is inlined. What is rare in it begins with saves that
# were moved there, and is called where it begins. Frame optimization, which knows of
# one entry only, would move them in front of it, to where the counts are lower.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -O2 %S/Inputs/run.c -Wl,--emit-relocs -o %t
# RUN: sed -n 's/^# PROFILE: //p' %s > %t.fdata
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -hco -hco-growth=1000 -verify -frame-opt=all
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=work,work.cold.0 %t.o | FileCheck %s
# The call of what is rare.
# CHECK: callq {{.*}} <small+
# RUN: %t 300 7 > %t.expected
# RUN: %t.o 300 7 > %t.got
# RUN: diff %t.expected %t.got
#
# PROFILE: 1 small/1 d 1 small/1 21 0 88
# PROFILE: 1 small/1 d 1 small/1 f 0 2
# PROFILE: 1 small/1 16 1 small/1 38 0 0
# PROFILE: 1 small/1 16 1 small/1 18 0 0
# PROFILE: 1 small/1 1f 1 small/1 38 0 0
# PROFILE: 1 small/1 18 1 note 0 0 90
# PROFILE: 1 work 13 1 small/1 0 0 49
# PROFILE: 1 guarded/1 34 1 work 0 0 49
	.include "hot.inc"
	begin
	save rbp
	save rbx
	grow 8
	movq %rdi, %rbx
	movq %rdx, %rbp
	movq %rdx, %rcx
	leaq 5(%rdi), %rdx
	callq small
	addq %rax, (%rbp)
	movq %rbx, 8(%rbp)
	leaq 1(%rbx,%rax), %rax
	shrink 8
	restore rbx
	restore rbp
	retq
	.cfi_endproc
	.size work, .-work
	.type small, @function
small:
	.cfi_startproc
	.set depth, 8
	save r12
	save rbp
	movq %rdx, %rbp
	save rbx
	movq %rcx, %rbx
	testq %rsi, %rsi
	je .Lhit
	xorl %r12d, %r12d
	testb $1, %dil
	je .Ldone
	callq note@PLT
	testb $4, %al
	jne .Ldone
.Lhit:
	movl %ebp, (%rbx)
	movl $1, %r12d
	movq $16, 16(%rbx)
	movl $6, 8(%rbx)
.Ldone:
	movl %r12d, %eax
	restore rbx
	restore rbp
	restore r12
	retq
	.cfi_endproc
	.size small, .-small
	.section .note.GNU-stack,"",@progbits
