# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function with data among its instructions jumps into the middle of another
# one. The data looks like the beginning of an instruction that contains the
# jump, so only the linker's relocation tells. The other function has to stay.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
# CHECK: entered{{.*}} left as it is: code that cannot be read jumps into it
# RUN: %t.o
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -skip-funcs=unread
# RUN: %t.p
	.section .text.other, "ax", @progbits
	.globl entered
	.type entered, @function
entered:
	.cfi_startproc
	testl %edi, %edi
	je .Lmiddle
	movl $1, %eax
	retq
.Lmiddle:
	movl $0, %eax
	retq
	.cfi_endproc
	.size entered, . - entered

	.text
	.globl unread
	.type unread, @function
unread:
	.cfi_startproc
	testl %edi, %edi
	je 1f
	jmp 2f
	.byte 0x06
	.byte 0xb8
1:	jmp .Lmiddle
2:	movl $1, %eax
	retq
	.cfi_endproc
	.size unread, . - unread

	.globl main
	.type main, @function
main:	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	callq entered
	xorl %edi, %edi
	callq unread
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
