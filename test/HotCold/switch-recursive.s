# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The address of a table is in the register of a parameter when a function calls
# itself. It has a table of its own nevertheless: the callee only leaves what is
# in there, on the way around the switch, where a second result would be.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK-LABEL: hot version of work
# CHECK-NOT: pushq
# CHECK: jmpq *%rcx
# CHECK: stub
# CHECK: pushq %rbx
# Nor does a function of another image read it.
# RUN: %hot-cold %s %t -flags=-Wa,--defsym,OTHER=1 | FileCheck %s
# RUN: %hot-cold %s %t -flags=-Wa,--defsym,READ=1 | FileCheck %s --check-prefix=READ
# A callee that does more with it.
# READ: work: no advantage
	.include "hot.inc"
	begin
	save rbx
	save rbp
	movl %edi, %eax
	andl $1, %eax
	leaq (%rax,%rsi,2), %rax
	cmpq $3, %rax
	ja .Laround
	leaq .Ltable(%rip), %rdx
	movslq (%rdx,%rax,4), %rcx
	addq %rdx, %rcx
	jmpq *%rcx
.Leven:
	leaq 5(%rdi,%rdi), %rax
	restore rbp
	restore rbx
	retq
.Lodd:
	again 24
	leaq 9(%rdi,%rdi,4), %rax
	restore rbp
	restore rbx
	retq
.Lrarely_even:
	again 24
	movq %rdi, %rbx
	.ifdef OTHER
	callq labs@PLT
	movq %rbx, %rdi
	.endif
	xorl %esi, %esi
	incq %rdi
	callq work
	leaq (%rax,%rbx), %rbp
	movl $7, %esi
	movq %rbx, %rdi
	callq work
	addq %rbp, %rax
	restore rbp
	restore rbx
	retq
.Lrarely_odd:
	again 24
	movq %rdi, %rbp
	xorl %ebx, %ebx
	.ifdef READ
	callq look
	movq %rax, %rbx
	.endif
	movq %rbp, %rdi
	movl $1, %esi
	decq %rdi
	callq work
	addq %rbx, %rax
	addq %rbp, %rax
	restore rbp
	restore rbx
	retq
.Laround:
	again 24
	movq %rdi, %rax
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type look, @function
look:
	.cfi_startproc
	xorl %eax, %eax
	testq %rdx, %rdx
	setne %al
	retq
	.cfi_endproc
	.size look, .-look
	.section .rodata
	.balign 4
.Ltable:
	.long .Leven-.Ltable
	.long .Lodd-.Ltable
	.long .Lrarely_even-.Ltable
	.long .Lrarely_odd-.Ltable
	.section .note.GNU-stack,"",@progbits
