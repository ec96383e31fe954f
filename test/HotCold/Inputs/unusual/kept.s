# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Destinations that keep their value, if cmpxchg or lsl fails.
	.text
	.globl pick
	.type pick,@function
# long pick(want, have, neu)
pick:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rdx,%rbx
	lea 1(%rsi,%rsi,2),%rdx
	mov %rdi,%rax
	cmp $49,%rsi
	je 1f
	cmpxchg %rbx,%rdx
	lea (%rax,%rdx,2),%rax
	pop %rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
1:	mov %rdi,%rdi
	call rare
	add %rbx,%rax
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size pick,.-pick
	.globl limit
	.type limit,@function
limit:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rdi,%rbx
	lea -7(%rsi),%rdx
	cmp $49,%rsi
	je 1f
	lsl %ebx,%edx
	lea (%rsi,%rdx,2),%rax
	pop %rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
1:	mov %rdi,%rdi
	call rare
	add %rbx,%rax
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size limit,.-limit
	.section .note.GNU-stack,"",@progbits
