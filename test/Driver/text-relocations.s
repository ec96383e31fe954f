# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The loader changes the code of a function (a text relocation). That function
# stays as it is; others are optimized.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -shared %s -Wl,-z,notext -Wl,--emit-relocs -o %t.so
# RUN: gcc -O2 -DMAIN -x c %S/Inputs/call-changed.c -o %t -ldl
# RUN: graupel-bolt -v=1 %t.so -o %t.faster.so | FileCheck %s
# CHECK: GRAUPEL-INFO: 1 functions left as they are: the loader changes their code (text relocations)
# RUN: %t %t.so > %t.expected && %t %t.faster.so | cmp - %t.expected
#
# Told to process all functions, there is no way.
# RUN: not graupel-bolt %t.so -o %t.bad.so -use-old-text 2>&1 | FileCheck %s --check-prefix=ALL
# ALL: graupel-bolt: error: {{.*}}text relocations: the loader changes code of changed

	.text
	.globl	changed
	.type	changed, @function
changed:
	movabsq	$value, %rax
	movl	(%rax), %eax
	addl	%edi, %eax
	ret
	.size	changed, .-changed

	.globl	entry
	.type	entry, @function
entry:
	pushq	%rbx
	movl	%edi, %ebx
	call	changed@plt
	cmpl	$5, %ebx
	jg	1f
	addl	$100, %eax
1:	popq	%rbx
	ret
	.size	entry, .-entry

	.data
	.globl	value
value:
	.long	42
	.section .note.GNU-stack, "", @progbits
