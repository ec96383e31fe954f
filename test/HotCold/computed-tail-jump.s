# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A callee ends in a jump through a pointer. Nobody knows where that leads, so it
# may change all that callers do not expect to be kept: the caller's value stays
# in a saved register. Where the jump names a function that keeps more, the value
# moves to one that is not saved.
#
# REQUIRES: x86_64, gcc
# DEFINE: %{known} =
# DEFINE: %{try} = \
# DEFINE:   gcc -O2 -I%S/Inputs -Wa,-I%S/Inputs -Wa,--defsym,KNOWN=%{known} %S/Inputs/run.c %s -Wl,--emit-relocs -o %t && \
# DEFINE:   graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile && \
# DEFINE:   rm -f %t.gprofile && %t.i 3000 100 > %t.expected && \
# DEFINE:   graupel-bolt %t -o %t.o -data=%t.gprofile -hco -hco-growth=1000 -hco-verify -print-hot-cold > %t.log && \
# DEFINE:   %t 3000 7 > %t.expected && %t.o 3000 7 | diff %t.expected -
# REDEFINE: %{known} = 0
# RUN: %{try}
# RUN: FileCheck %s --check-prefix=COMPUTED < %t.log
# COMPUTED: hot version of work
# COMPUTED: pushq %rbx
# COMPUTED: callq
# COMPUTED: stub
# REDEFINE: %{known} = 1
# RUN: %{try}
# RUN: FileCheck %s --check-prefix=KNOWN < %t.log
# KNOWN: hot version of work
# KNOWN-NOT: %rbx
# KNOWN: callq
# KNOWN-NOT: %rbx
# KNOWN: stub
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	movq %rdi, %rbx
	callq pick
	testq %rsi, %rsi
	jne .Lrare
	addq %rbx, %rax
	movq %rax, (%rdx)
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rbx, %rbp
	imulq %rbp, %rbx
	movq %rbx, (%rdx)
	shrink 8
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work

	.type pick, @function
pick:
	.cfi_startproc
	.if KNOWN
	jmp keeps
	.else
	leaq pointers(%rip), %rax
	testq $1, %rdi
	leaq 8(%rax), %r8
	cmovneq %r8, %rax
	jmpq *(%rax)
	.endif
	.cfi_endproc
	.size pick, .-pick

	.type keeps, @function
keeps:
	.cfi_startproc
	leaq 5(%rdi), %rax
	retq
	.cfi_endproc
	.size keeps, .-keeps

	# Nothing but what the ABI keeps, and the arguments that work() needs.
	.type changes, @function
changes:
	.cfi_startproc
	leaq 7(%rdi), %rax
	movq $-1, %rdi
	movq %rdi, %rcx
	movq %rdi, %r8
	movq %rdi, %r9
	movq %rdi, %r10
	movq %rdi, %r11
	retq
	.cfi_endproc
	.size changes, .-changes

	.section .data.rel.local, "aw"
pointers:
	.quad keeps, changes
	.section .note.GNU-stack,"",@progbits
