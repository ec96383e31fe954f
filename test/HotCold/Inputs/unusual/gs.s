# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Uses GS, and cannot be read: data follows.
	.text
	.globl getgs
	.type getgs,@function
getgs:	mov %gs:8,%rax
	test %rdi,%rdi
	jne 1f
	ret
1:	add %gs:16,%rax
	ret
	.byte 0x06,0x07,0x0e
	.size getgs,.-getgs
	.globl popgs
	.type popgs,@function
popgs:	push %gs
	pop %gs
	ret
	.size popgs,.-popgs
	.section .note.GNU-stack,"",@progbits
