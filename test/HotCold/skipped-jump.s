# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# asks() reads %rdi behind its call of between(), which jumps to adds() by a pointer and
# stays where it is, since the jumps that it computes are not understood.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -no-pie -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -verify -print-protected -o %t.hot | FileCheck %s
# RUN: %t.hot
# CHECK: between left as it is: it may compute jumps from differences of labels
	.include "conventions.inc"
	.text
	define_rare
	define_adds adds

	begin between
	movq %rbx, %rcx
	andl $1, %ecx
	leaq 1f(%rip), %rdx
	movslq (%rdx,%rcx,4), %rcx
	addq %rdx, %rcx
	jmp *%rcx
1:	.long 2f - 1b
	.long 3f - 1b
2:	nop
3:	jmp *pointer(%rip)
	finish between

	define_asks
	define_main 300

	.data
pointer: .quad adds
