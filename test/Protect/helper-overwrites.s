# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Helpers overwrite registers that functions have to keep; their caller saves
# them. He does not use them himself, or only on a rare path, but must not lose
# the saves to frame optimization.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i
# RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -verify && %t.o
# RUN: graupel-bolt %t -o %t.a -data=%t.gprofile -frame-opt=all -verify && %t.a
# RUN: graupel-bolt %t -o %t.s -data=%t.gprofile -layout=spike -verify && %t.s
	.text
# Writes what it has computed to memory, which is no save. Returns the sum.
	.globl	helper
	.type	helper, @function
helper:
	.cfi_startproc
	lea	1(%rdi), %rbx
	lea	2(%rdi), %r12
	mov	%rbx, (%rsi)
	mov	%r12, 8(%rsi)
	lea	(%rbx,%r12), %rax
	ret
	.cfi_endproc
	.size	helper, . - helper

# Does not keep them either.
	.globl	between
	.type	between, @function
between:
	.cfi_startproc
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	helper
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	between, . - between

# Uses %r12 itself on a rare path only.
	.macro	caller name, helper
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	push	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset %r12, -16
	push	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset %rbx, -24
	mov	%rdi, %rbx
	lea	results(%rip), %rsi
	call	\helper
	cmp	$199, %rdi
	ja	.Lrare\name
	lea	(%rbx,%rbx), %rax
.Lout\name:
	pop	%rbx
	.cfi_remember_state
	pop	%r12
	.cfi_def_cfa %rsp, 8
	ret
.Lrare\name:
	.cfi_restore_state
	xor	%eax, %eax
	test	%rsi, %rsi
	je	.Lout\name
	lea	(%rdi,%rdi,2), %r12
	xor	%esi, %esi
	add	%r12, %rax
	add	%rbx, %rax
	jmp	.Lout\name
	.cfi_endproc
	.size	\name, . - \name
	.endm
	caller	direct, helper
	caller	indirect, between

	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	push	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_offset %r12, -24
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	mov	$200, %ebx
	mov	$77, %r12d
1:	mov	%rbx, %rdi
	call	direct
	mov	%rbx, %rdi
	call	indirect
	cmp	$77, %r12
	jne	2f
	dec	%ebx
	jnz	1b
	xor	%eax, %eax
	jmp	3f
2:	mov	$1, %eax
3:	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	pop	%r12
	.cfi_adjust_cfa_offset -8
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	main, . - main
	.bss
	.balign	8
results:
	.zero	16
	.section .note.GNU-stack, "", @progbits
