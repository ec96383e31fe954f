# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What -hco-report says of one procedure of each category.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -hco -hco-report -hco-report-file=%t.txt
# RUN: %python %tools/exit-code.py 12 %t.o
	.text
	.globl foo
	.type foo,@function
# The paper's example (Figures 12 to 14): the call is rare.
foo:
	pushq %rbx
	subq $16, %rsp
	leal 1(%rdi), %ebx
	leal (%rdi,%rsi), %edi
	testl %ebx, %ebx
Lbranch1:
	jne Lreturn1
Lrare1:
	callq store
	movl %ebx, counter(%rip)
Lreturn1:
	addq $16, %rsp
	popq %rbx
	retq
	.size foo, .-foo

	.globl store
	.type store,@function
store:
	movl %edi, counter(%rip)
	retq
	.size store, .-store

# All blocks are frequent.
	.globl even
	.type even,@function
even:
	leal -1(%rdi), %eax
	testl %edi, %edi
Lbranch2:
	jne Lother2
Lzero2:
	xorl %eax, %eax
Lother2:
	retq
	.size even, .-even

# There is nothing to take away.
	.globl lean
	.type lean,@function
lean:
	movl %edi, %eax
	testl %edi, %edi
Lbranch3:
	jne Lother3
Lzero3:
	movl counter(%rip), %eax
Lother3:
	retq
	.size lean, .-lean

# Gets back to its first instruction.
	.globl loops
	.type loops,@function
loops:
	decl %edi
Lbranch4:
	jns loops
Lout4:
	movl %edi, %eax
	retq
	.size loops, .-loops

	.globl seldom
	.type seldom,@function
seldom:
	movl $3, %eax
	retq
	.size seldom, .-seldom

	.globl _start
	.type _start,@function
_start:
	movl $7, %edi
	movl $4, %esi
	callq foo
	movl $5, %edi
	callq even
	movl %eax, %r12d
	movl $8, %edi
	callq lean
	addl %eax, %r12d
	xorl %edi, %edi
	callq loops
	callq seldom
	movl %r12d, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start

	.bss
counter:
	.long 0
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 foo 0 0 100000
# FDATA: 1 foo #Lbranch1# 1 foo #Lreturn1# 0 99999
# FDATA: 1 foo #Lbranch1# 1 foo #Lrare1# 0 1
# FDATA: 1 _start 0 1 foo 0 0 0
# FDATA: 0 [unknown] 0 1 store 0 0 1
# FDATA: 0 [unknown] 0 1 even 0 0 10000
# FDATA: 1 even #Lbranch2# 1 even #Lother2# 0 6000
# FDATA: 1 even #Lbranch2# 1 even #Lzero2# 0 4000
# FDATA: 0 [unknown] 0 1 lean 0 0 20000
# FDATA: 1 lean #Lbranch3# 1 lean #Lother3# 0 20000
# FDATA: 0 [unknown] 0 1 loops 0 0 1000
# FDATA: 1 loops #Lbranch4# 1 loops 0 0 1000
# FDATA: 0 [unknown] 0 1 seldom 0 0 2
