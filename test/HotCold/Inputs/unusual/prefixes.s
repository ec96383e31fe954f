# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# xlat and masked stores with a segment prefix.
	.text
	.globl strs
	.type strs,@function
# long strs(char *dst, char *src, long n, long k)
strs:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rdx,%rbx
	mov %rdx,%rcx
	cmp $49,%rdx
	je 1f
	cld
	rep movsb
	mov %rbx,%rcx
	std
	dec %rdi
	dec %rsi
	mov $0x20,%al
	repne scasb
	cld
	lea (%rdi,%rcx,8),%rax
	sub %rsi,%rax
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
	.size strs,.-strs
	.globl xl
	.type xl,@function
# long xl(unsigned off, long i): table is at %fs:off (thread-local)
xl:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3,-16
	mov %rsi,%rax
	mov $tab@tpoff,%rbx
	cmp $49,%rsi
	je 1f
	and $7,%eax
	.byte 0x64
	xlat
	movzbl %al,%eax
	mov %rax,%rdx
	mov $tab@tpoff+1,%rsi
	lods %fs:(%rsi), %al
	lea (%rax,%rdx,4),%rax
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
	.size xl,.-xl
	.globl a32
	.type a32,@function
a32:	.cfi_startproc
	mov %rsi,%rcx
	xor %eax,%eax
	movabs $0x100000003,%rdx
	jecxz 2f
	lea (%edx,%ecx,4),%r8d
	lea 5(%r8d),%rax
	or %rcx,%rdx
	bts %rcx,%rax
2:	ret
	.cfi_endproc
	.size a32,.-a32
	.section .tdata,"awT",@progbits
tab:	.byte 3,1,4,1,5,9,2,6,5,3,5,8
	.section .note.GNU-stack,"",@progbits
