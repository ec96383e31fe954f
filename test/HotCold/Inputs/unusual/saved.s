# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A parameter in a saved register, read behind a call that ends a block.
	.text
	.globl k
	.type k,@function
# own convention: rdi, and r12 as a parameter; r12 is preserved
k:	.cfi_startproc
	push %r12
	.cfi_def_cfa_offset 16
	.cfi_offset 12,-16
	call g
2:	lea (%rax,%r12),%rax
	inc %r12
	cmp $100,%rax
	jl 2b
	pop %r12
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size k,.-k
	.type g,@function
g:	lea 3(%rdi),%rax
	ret
	.size g,.-g
	.globl caller
	.type caller,@function
caller:	.cfi_startproc
	push %r12
	.cfi_def_cfa_offset 16
	.cfi_offset 12,-16
	lea 5(%rsi,%rsi),%r12
	cmp $49,%rsi
	je 1f
	call k
	pop %r12
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
1:	call rare
	add %r12,%rax
	pop %r12
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size caller,.-caller
	.section .note.GNU-stack,"",@progbits
