# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Registers of APX.
	.text
	.globl work
	.type work,@function
work:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rdi,%rbx
	mov %rsi,%r16
	mov %r16,%rcx
	mov %rbx,%r17
	cmp $49,%rsi
	je 1f
	lea (%rcx,%rbx),%rax
	add %r17,%rax
	pop %rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
1:	call rare
	add %rbx,%rax
	add %rcx,%rax
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size work,.-work
	.section .note.GNU-stack,"",@progbits
