# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A call through the global offset table that does not return, as rustc makes them. What
# stands behind it reads flags of a comparison, and no function whose address is taken
# ever returns to there.
#
# REQUIRES: x86_64
# RUN: clang -fuse-ld=lld -static-pie -fPIE -Wa,-mrelax-relocations=no %s -Wl,--emit-relocs -o %t
# RUN: llvm-objdump -d %t | FileCheck %s --check-prefix=SLOT
# RUN: graupel-bolt %t -o %t.i -instrument -verify | FileCheck %s
# RUN: env GRAUPEL_PROFILE=%t.gprofile %t.i
# SLOT: callq *{{.*}}(%rip)
# CHECK: graupel-bolt: verified:
	.text
	.globl main
	.type main, @function
main:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq taken(%rip), %rbx
	xorl %edi, %edi
	callq *%rbx
	cmpl $3, %eax
	jmp 1f
0:
	callq *never@GOTPCREL(%rip)
1:
	jne 0b
	xorl %eax, %eax
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size main, . - main

	.type taken, @function
taken:
	.cfi_startproc
	movl $3, %eax
	retq
	.cfi_endproc
	.size taken, . - taken

	.hidden never
	.globl never
	.type never, @function
never:
	.cfi_startproc
	ud2
	.cfi_endproc
	.size never, . - never
	.section .note.GNU-stack,"",@progbits
