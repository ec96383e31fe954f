# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Code out of line whose unwind rule computes where it was jumped to from: the
# instruction pointer plus a distance, as glibc's _L_lock_N had it. The rule does
# not change with the code, so neither the code nor the function around it moves.
# Where a row begins in the middle of an instruction, BOLT gave up on the program.
#
# REQUIRES: x86_64, gcc
# DEFINE: %{middle} =
# DEFINE: %{try} = \
# DEFINE:   g++ -O2 %S/Inputs/out-of-line.cpp %s -Wa,--defsym,MIDDLE=%{middle} -Wl,--emit-relocs -o %t && \
# DEFINE:   %t | FileCheck %s && \
# DEFINE:   graupel-bolt %t -o %t.plain -verify -v=1 2>&1 | FileCheck %s --check-prefix=STAYS && \
# DEFINE:   %t.plain | FileCheck %s && \
# DEFINE:   graupel-bolt %t -o %t.instrumented -verify -instrument -instrumentation-file=%t.profile && \
# DEFINE:   %t.instrumented | FileCheck %s && \
# DEFINE:   graupel-bolt %t -o %t.faster -verify -hco -data=%t.profile && \
# DEFINE:   %t.faster | FileCheck %s
# REDEFINE: %{middle} = 0
# RUN: %{try}
# RUN: cp %t %t.whole
# REDEFINE: %{middle} = 1
# RUN: %{try}
# RUN: llvm-bolt %t.whole -o %t.moved
# RUN: not elf-verify %t.whole %t.moved 2>&1 | FileCheck %s --check-prefix=MOVED
# CHECK: 1628250
# MOVED: the unwind rules at outofline{{.*}} depend on where the code is, and it has moved
# STAYS-DAG: work left as it is
# STAYS-DAG: outofline{{.*}} left as it is: its unwind record cannot be written anew

	.text
	.globl	work
	.type	work, @function
work:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movl	%edi, %eax
	movl	%edi, %ebx
	testb	$2, %dil
	jne	outofline
.Lback:
	leal	1(%rax), %eax
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	work, . - work

	# The frame is that of work. 10 is the distance from behind the call to .Lback.
	.type	outofline, @function
outofline:
	.cfi_startproc
	.cfi_def_cfa %rsp, 0
	.cfi_escape 0x16, 0x10, 0x02, 0x80, 0x76
	.if MIDDLE
	.cfi_escape 0x42, 0x00
	.endif
	callq	slow
.Lbehind:
	jmp	.Lback
	.cfi_endproc
	.size	outofline, . - outofline
	.if	.Lbehind - .Lback - 10
	.error	"another distance"
	.endif
	.section .note.GNU-stack, "", @progbits
