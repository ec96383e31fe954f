# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A transaction goes on behind its xbegin, which BOLT forgets when it moves that
# code away from it: glibc's elided locks, in static programs. The function stays.
# It has to be only read here, since processors may not have the instruction.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.1 -verify -stress-layout=1 -print-protected | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.2 -verify -layout=none -stress-layout=2 -print-protected | FileCheck %s --check-prefix SUMMARY
# RUN: graupel-bolt %t.exe -o %t.3 -verify -layout=none -stress-layout=3
# RUN: graupel-bolt %t.exe -o %t.4 -verify -layout=none -stress-layout=4
# CHECK: GRAUPEL-INFO: elide left as it is: control may go on behind a branch that is not understood
# SUMMARY: 1 has a branch that is not understood
# RUN: %t.1
# RUN: %t.2
# RUN: %t.3
# RUN: %t.4
	.text
	.globl elide
	.type elide, @function
elide:	movl $3, %ecx
1:	movl $-1, %eax
	xbegin 2f
	cmpl $0, (%rdi)
	je 3f
	xabort $255
2:	testb $1, %al
	je 4f
	decl %ecx
	jne 1b
4:	movl $1, %eax
	retq
3:	movl $2, %eax
	retq
	.size elide, . - elide

	.globl main
	.type main, @function
main:	cmpl $100, %edi
	jle 1f
	leaq lock(%rip), %rdi
	callq elide
	retq
1:	xorl %eax, %eax
	retq
	.size main, . - main
	.bss
	.p2align 2
lock:	.long 0
	.section .note.GNU-stack, "", @progbits
