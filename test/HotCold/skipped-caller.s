# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# asks() reads %rdi behind its call of between(), which has it from adds(): no result by
# the ABI. between() is skipped, since JRCXZ cannot become longer, or because it was
# asked for.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -Wa,-I%S/Inputs %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -verify -o %t.hot && %t.hot
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -lite=0 -hco-break-assumption=staying-callers -o %t.hot -v=1 2>&1 | FileCheck %s
# RUN: %t.hot
# CHECK: the hot version of adds cannot be proved right
#
# RUN: gcc -Wa,-I%S/Inputs,--defsym,PLAIN=1 %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile && %t.counted
# RUN: graupel-bolt %t -data=%t.gprofile -hco-growth=1000 -skip-funcs=between -verify -o %t.hot && %t.hot
	.include "conventions.inc"
	.text
	define_rare
	define_adds adds

	begin between
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	movl $1, %ecx
	.ifdef PLAIN
	testl %ecx, %ecx
	je 1f
	.else
	jrcxz 1f
	.endif
	call adds
1:	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	finish between

	define_asks
	define_main 300
