# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# push and pop of segment registers, and enter, move the stack.
	.text
	.globl f
	.type f,@function
# long f(long a, long b): keeps %gs on the stack, as old code does
f:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	push %r12
	.cfi_def_cfa_offset 24
	.cfi_offset 12,-24
	push %gs
	.cfi_def_cfa_offset 32
	mov %rdi,%rbx
	mov %rsi,%r12
	mov %rsi,%rax
	and $31,%eax
	cmp $30,%eax
	je 1f
2:	mov 8(%rsp),%rax    # the saved r12
	mov 16(%rsp),%rcx    # the saved rbx
	lea (%rbx,%rax),%rax
	xor %rcx,%rax
	add %r12,%rax
	pop %gs
	.cfi_remember_state
	pop %r12
	pop %rbx
	ret
	.cfi_restore_state
1:	mov %rbx,%rdi
	call rare
	add %rax,%rbx
	jmp 2b
	.cfi_endproc
	.size f,.-f
