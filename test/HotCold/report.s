# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What -hco-report says of one procedure of each category.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -hco -hco-report -hco-report-file=%t.txt
# RUN: FileCheck %s < %t.txt
# RUN: %python %tools/exit-code.py 12 %t.o
#
# CHECK-LABEL: Coverage by category
# CHECK-NEXT: 87.9 % of the executed instructions are in optimized procedures.
# CHECK: optimized 1 899,999 87.9 %
# CHECK-NEXT: infrequent 2 7 0.0 %
# CHECK: unsupported 1 4,000 0.4 %
# CHECK-NEXT: loop 0 0 0.0 %
#
# CHECK-LABEL: Why procedures were not optimized
# CHECK: no advantage: no frame
# CHECK: unsupported: it loops to its entry 1 4,000 0.4 %
#
# foo's nine frequent instructions become four. Its call is in its cold part, so
# the hot part is a leaf.
# CHECK-LABEL: Reduction in path length
# CHECK: saves and restores 199,999 19.53 %
# CHECK-NEXT: stack adjustments 199,999 19.53 %
# CHECK-NEXT: sunk computations 100,000 9.77 %
# CHECK: total 499,998 48.83 %
# CHECK-NEXT: total without cost of stubs 499,993 48.83 %
# CHECK-LABEL: Time in leaf procedures, before and after
# CHECK: before 124,007 12.1 %
# CHECK-NEXT: after 524,006 100.0 %
#
# CHECK-LABEL: Code growth
# CHECK: image 144 100.00 %
# CHECK-NEXT: optimized, before 32 22.22 %
# CHECK-LABEL: Size of optimized procedures
# CHECK: frequent blocks 21 65.6 %
# CHECK-NEXT: reachable of these 21 65.6 %
# CHECK-NEXT: optimized 8 25.0 %
# CHECK-LABEL: Optimized procedures that grew most
# CHECK: foo 32
#
# CHECK-LABEL: Time by procedure size, before and after
# CHECK: 3-4 2 0.4 % 3 77.1 %
# CHECK-NEXT: 5-8 2 12.1 % 2 100.0 %
# CHECK-NEXT: 9-16 1 100.0 % 1 100.0 %
# CHECK-LABEL: Procedures with most time
# CHECK: foo 87.9 % 55.6 % 4 of 11 instructions hot, 1 stub, leaf
# CHECK-NEXT: lean 7.8 % no advantage: no frame
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
	movl %edi, %ecx
	movl %ecx, counter(%rip)
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
