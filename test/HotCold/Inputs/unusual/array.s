# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An array of functions behind a label, as V8's built-in functions.
	.text
	.p2align 6
	.globl blob_code
	.type blob_code,@object
	.size blob_code,0
blob_code:
	.globl Builtins_A, Builtins_B, Builtins_C
	.type Builtins_A,@function
Builtins_A:
	lea 1(%rdi,%rdi,2),%rax
	cmp $100,%rdi
	ja 1f
	ret
1:	.byte 0xe8
	.long Builtins_C - . - 4
	add $3,%rax
	ret
	.size Builtins_A,.-Builtins_A
	.p2align 5, 0xcc
	.type Builtins_B,@function
Builtins_B:
	mov %rdi,%rax
	test $1,%al
	je 1f
	shl $2,%rax
	xor $5,%rax
	ret
1:	imul $77,%rdi,%rax
	cmp $1000,%rax
	jb 2f
	sub $9,%rax
2:	ret
	.size Builtins_B,.-Builtins_B
	.p2align 5, 0xcc
	.type Builtins_C,@function
Builtins_C:
	lea -7(%rdi),%rax
	ret
	.size Builtins_C,.-Builtins_C
	.p2align 5, 0xcc
	.section .note.GNU-stack,"",@progbits
