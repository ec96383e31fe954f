# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that take or return flags and are not called by their first name: by that of
# a further entry, by another name, through the PLT. No counter there changes them.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile
# RUN: graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile -verify
# RUN: %t.counted
# RUN: graupel-bolt %t -instrument -atomic -o %t.atomic -instrumentation-file=%t.other && %t.atomic
# RUN: graupel-bolt %t -data=%t.gprofile -hco -hco-growth=1000 -verify -o %t.hot && %t.hot
#
# RUN: gcc %s -Wa,--defsym,LIBRARY=1 -shared -Wl,--emit-relocs,-z,now -o %t.so
# RUN: gcc %s -Wa,--defsym,PROGRAM=1 %t.so -o %t.program && %t.program
# RUN: cp %t.so %t.plain
# RUN: graupel-bolt %t.plain -instrument -o %t.so -instrumentation-file=%t.third -verify
# RUN: %t.program
	.macro	function name
	.globl	\name
	.type	\name, @function
\name:	.cfi_startproc
	.endm
	.macro	ends name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.text
	.ifndef PROGRAM
	# A block is counted between the comparison and the return.
	.macro	compares
	cmpl	%edi, %esi
	jb	1f
	movl	$1, %edx
	ret
1:	movl	$2, %edx
	ret
	.endm
	function entered
	incl	%edi
	.globl	entry
entry:	compares
	ends	entered

	function renamed
	compares
	ends	renamed
	.globl	alias
	.type	alias, @function
	.set	alias, renamed

	function takes
	jrcxz	1f
	movl	$1, %eax
	jmp	2f
1:	movl	$1, %eax
2:	movl	$0, %edx
	cmovel	%edx, %eax
	ret
	ends	takes

	function check
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	movl	$5, %edi
	movl	$5, %esi
	.ifdef LIBRARY
	call	renamed@PLT
	jne	1f
	.else
	call	entry
	jne	1f
	call	alias
	jne	1f
	.endif
	movl	$1, %ecx
	# The last place for the counters of the way here.
	cmpl	$5, %esi
	ja	1f
	nop
	call	takes@PLT
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
1:	.cfi_adjust_cfa_offset 8
	movl	$1, %eax
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	ends	check
	.endif

	.ifndef LIBRARY
	function main
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	check@PLT
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	ends	main
	.endif
	.section .note.GNU-stack, "", @progbits
