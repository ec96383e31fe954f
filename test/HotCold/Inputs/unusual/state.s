# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Vector registers that FXRSTOR changes, and a register that REP LODS may leave alone.
	.text
	.globl restored
	.type restored,@function
# in: rdi, and rsi, an area of FXSAVE
restored: .cfi_startproc
	movq %rdi,%xmm5
	movq %xmm5,%rcx
	fxrstor64 (%rsi)
	movq %xmm5,%rax
	testl $63,%edi
	je 1f
	ret
1:	leaq (%rax,%rcx,2),%rax
	ret
	.cfi_endproc
	.size restored,.-restored
	.globl last
	.type last,@function
# in: rdi, rsi, and rdx, the number of words at rsi; out: the last of them, or 7 more than rdi
last:	.cfi_startproc
	leaq 7(%rdi),%rax
	movq %rdx,%rcx
	testl $63,%edi
	je 2f
	rep lodsq
	ret
2:	addq %rdx,%rax
	ret
	.cfi_endproc
	.size last,.-last
	.section .note.GNU-stack,"",@progbits
