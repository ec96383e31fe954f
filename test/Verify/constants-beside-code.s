# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A switch table that lies in a segment with code and begins with bytes that
# are a jump to the last function. It is data: what its bytes would do as
# instructions is not compared.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -Wl,-z,noseparate-code,--emit-relocs %s -o %t.exe
# RUN: llvm-objdump-22 -s -j .rodata %t.exe | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.o -verify
# RUN: %t.exe && %t.o
#
# CHECK: ebf3
	.text
	.balign 65536
	.globl	_start
	.type	_start, @function
_start:
	.cfi_startproc
	mov	$2, %edi
	call	choose
	push	%rax
	.cfi_adjust_cfa_offset 8
	mov	$0, %edi
	call	choose
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	add	%eax, %edi
	call	last
	add	%eax, %edi
	sub	$56, %edi
	mov	$60, %eax
	syscall
	.cfi_endproc
	.size	_start, . - _start

	.org	0xf3a0, 0x90
	.globl	choose
	.type	choose, @function
choose:
	.cfi_startproc
	cmp	$3, %edi
	ja	.Lelse
	mov	%edi, %eax
	lea	table(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	add	%rcx, %rax
	jmp	*%rax
.Lone:
	mov	$10, %eax
	ret
.Ltwo:
	mov	$20, %eax
	ret
	.org	0xf3eb, 0x90
.Lzero:
	mov	$30, %eax
	ret
.Lthree:
	mov	$40, %eax
	ret
.Lelse:
	mov	$50, %eax
	ret
	.cfi_endproc
	.size	choose, . - choose

	.org	0xfff5, 0x90
	.globl	last
	.type	last, @function
last:
	.cfi_startproc
	mov	$7, %eax
	xor	$1, %al
	ret
	.cfi_endproc
	.size	last, . - last

	.section .rodata, "a"
	.balign 65536
table:
	.long	.Lzero - table, .Lone - table, .Ltwo - table, .Lthree - table
