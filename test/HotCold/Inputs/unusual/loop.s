# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A caller that uses a count which its callee left in %rcx, by loop.
	.text
	.globl helper
	.type helper,@function
# in: rdi, rsi; out: rax, and a count in rcx
helper:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rdi,%rbx
	lea 3(%rsi),%rcx
	cmp $49,%rsi
	je 1f
	mov %rbx,%rax
	pop %rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
1:	push %rcx
	.cfi_def_cfa_offset 24
	call rare
	pop %rcx
	.cfi_def_cfa_offset 16
	add %rbx,%rax
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size helper,.-helper
	.globl sum
	.type sum,@function
sum:	.cfi_startproc
	sub $8,%rsp
	.cfi_def_cfa_offset 16
	call helper
1:	lea 1(%rax,%rax,2),%rax
	loop 1b
	xor %ecx,%ecx
	add $8,%rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size sum,.-sum
	.section .note.GNU-stack,"",@progbits
