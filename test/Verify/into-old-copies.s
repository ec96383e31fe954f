# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function that stays jumps into the middle of one that is moved, by a jump of two
# bytes that cannot reach the new copy, as glibc's wmemset for processors without AVX
# does. The old copy does its work: -verify accepts it, as long as the copy is as
# it was. The call of `stays` changes, so that not all of it is as it was.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t --emit-relocs
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -skip-funcs=stays -verify | FileCheck %s
# CHECK: graupel-bolt: verified
# RUN: %python %tools/exit-code.py 42 %t
# RUN: %python %tools/exit-code.py 42 %t.o
# The old copy changes: that is an error.
# RUN: %python -c "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().replace(b'\x83\xe8\x0d', b'\x83\xe8\x0e', 1))" < %t.o > %t.damaged
# RUN: not elf-verify %t %t.damaged 2>&1 | FileCheck %s --check-prefix=DAMAGED
# DAMAGED: the code of stays at {{.*}} branches to {{.*}}, where no instruction begins

	.text
	.globl stays
	.type stays, @function
stays:
	movl $1, %edi
	callq moved
	cmpl $20, %eax
	jne Lwrong
	movl $3, %edi
	jmp Lmiddle
Lwrong:	movl $1, %eax
	retq
	.size stays, . - stays

	.globl moved
	.type moved, @function
moved:	movl $10, %eax
	testl %edi, %edi
Lbranch:
	je Lend
	# FDATA: 1 moved #Lbranch# 1 moved #Lend# 0 7
	# FDATA: 1 moved #Lbranch# 1 moved #Lmiddle# 0 9
Lmiddle:
	leal 10(%rdi), %eax
	leal (%rax,%rax,2), %eax
	subl $13, %eax
Lend:	retq
	.size moved, . - moved

	.globl _start
	.type _start, @function
_start:	callq stays
	leal 16(%rax), %edi
	movl $60, %eax
	syscall
	.size _start, . - _start
