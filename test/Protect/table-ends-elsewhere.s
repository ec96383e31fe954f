# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Switches whose last entries lead elsewhere: to other functions, as tail calls
# by table do, into a cold part that has no name, as after strip -x of an
# object, and to the middle of another function. BOLT takes the table to end
# before them.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -no-pie -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected > %t.log
# RUN: FileCheck %s < %t.log
# RUN: FileCheck %s --check-prefix=WHOLE < %t.log
# CHECK-DAG: pick{{.*}} left as it is: a switch of it has more entries than are understood
# CHECK-DAG: choose{{.*}} left as it is: a switch of it has more entries than are understood
# CHECK-DAG: split{{.*}} left as it is: a switch of it has more entries than are understood
# CHECK-DAG: share{{.*}} left as it is: a switch of it has more entries than are understood
# WHOLE-NOT: whole{{.*}} left as it is
# RUN: %t.o
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
# RUN: %t.i
# RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -layout=spike -verify
# RUN: %t.p
#
# An output whose table ends there is found to be wrong.
# RUN: llvm-bolt %t.exe -o %t.cut
# RUN: not elf-verify %t.exe %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
# CUT: is not that of the input's other ({{.*}}), reached from 0x{{.*}}: it has no unwind record
	.macro function name
	.text
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	.endm

	.macro done name
	.cfi_endproc
	.size \name, . - \name
	.endm

	.macro result number
	movl $\number, %eax
	retq
	.endm

	.macro by_distance table, limit
	cmpl $\limit, %edi
	ja 9f
	leaq \table(%rip), %rdx
	movl %edi, %edi
	movslq (%rdx,%rdi,4), %rax
	addq %rdx, %rax
	jmpq *%rax
	.endm

	.macro by_address table, limit
	cmpl $\limit, %edi
	ja 9f
	movl %edi, %edi
	jmpq *\table(,%rdi,8)
	.endm

	function other
	result 100
	done other

	function pick
	by_distance .Lpick, 4
.Lp0:	result 10
.Lp1:	result 20
.Lp2:	result 30
9:	result 50
	done pick

	function choose
	by_address .Lchoose, 4
.Lc0:	result 10
.Lc1:	result 20
.Lc2:	result 30
9:	result 50
	done choose

	function split
	by_distance .Lsplit, 4
.Ls0:	result 10
.Ls1:	result 20
.Ls2:	result 30
9:	result 50
	done split

	.p2align 4
	.cfi_startproc
	nop
.Lcold1:
	result 100
.Lcold2:
	result 100
	.cfi_endproc

	function share
	by_distance .Lshare, 4
.Lh0:	result 10
.Lh1:	result 20
.Lh2:	result 30
9:	result 50
	done share

	function shared
	testl %edi, %edi
	je .Lhundred
	result 50
.Lhundred:
	result 100
	done shared

# Nothing follows its table but what has a name.
	function whole
	by_address .Lwhole, 2
.Lw0:	result 10
.Lw1:	result 20
.Lw2:	result 30
9:	result 100
	done whole

	.section .rodata
	.p2align 3
.Lpick:	.long .Lp0 - .Lpick, .Lp1 - .Lpick, .Lp2 - .Lpick
	.long other - .Lpick, other - .Lpick
	.p2align 3
	.quad 0
.Lchoose: .quad .Lc0, .Lc1, .Lc2, other, other
	.quad 0
.Lsplit: .long .Ls0 - .Lsplit, .Ls1 - .Lsplit, .Ls2 - .Lsplit
	.long .Lcold1 - .Lsplit, .Lcold2 - .Lsplit
	.p2align 3
	.quad 0
.Lshare: .long .Lh0 - .Lshare, .Lh1 - .Lshare, .Lh2 - .Lshare
	.long .Lhundred - .Lshare, .Lhundred - .Lshare
	.p2align 3
	.quad 0
.Lwhole: .quad .Lw0, .Lw1, .Lw2
	.globl pointers
	.type pointers, @object
pointers: .quad other, pick
	.size pointers, . - pointers

# The sums over 0 to 4 are 10 + 20 + 30 + 2 * 100 each.
	.macro sum name
	xorl %ebp, %ebp
1:	movl %ebp, %edi
	callq \name
	addl %eax, %ebx
	incl %ebp
	cmpl $5, %ebp
	jne 1b
	subl $260, %ebx
	jne 2f
	.endm

	function main
	pushq %rbx
	pushq %rbp
	pushq %rax
	xorl %ebx, %ebx
	sum pick
	sum choose
	sum split
	sum share
	sum whole
2:	movl %ebx, %eax
	popq %rcx
	popq %rbp
	popq %rbx
	retq
	done main
	.section .note.GNU-stack, "", @progbits
