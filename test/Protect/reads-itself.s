# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Data between instructions, which the function reads: BOLT takes it for
# instructions and may write them in another way.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -Wl,--emit-relocs %s -o %t.exe
# RUN: %python %tools/exit-code.py 42 %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
# CHECK-DAG: GRAUPEL-INFO: answer left as it is: it reads its own code
# CHECK-DAG: GRAUPEL-INFO: reader left as it is: a code address inside it escapes
# CHECK: GRAUPEL-INFO: 2 functions left as they are: 1 has a code address that escapes, 1 reads its own code
# RUN: %python %tools/exit-code.py 42 %t.o
	.text
	.globl _start
	.type _start,@function
_start:
	call answer
	movl %eax, %edi
	addl .Linside(%rip), %edi
	call reader
	movl $60, %eax
	syscall
	.size _start, .-_start

	.globl answer
	.type answer,@function
answer:
	movl .Lnumber(%rip), %eax
	testl %eax, %eax
	jne .Ldone
	incl %eax
	jmp *%rdx
.Ldone:
	ret
.Lnumber:
	# jmp .+5, in the long way of writing it, would come out shorter.
	.byte 0xe9, 0, 0, 0, 0
	ret
	.size answer, .-answer

	.globl reader
	.type reader,@function
reader:
	subl $0xe9 + 0x0000c381 - 42, %edi
	ret
.Linside:
	.byte 0x81, 0xc3, 0, 0, 0, 0
	ret
	.size reader, .-reader
