# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An address that is the end of a function is not its beginning: data may begin
# there, if the function is among data, or a label may say where a section ends.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -no-pie %s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected -lite=0 | FileCheck %s
# CHECK-DAG: INFO: in_data left as it is: its end is known
# CHECK-DAG: INFO: last left as it is: its end is known
# CHECK: graupel-bolt: verified
# RUN: %t.o
#
# Without that -verify says what is wrong.
# RUN: not graupel-bolt %t.exe -o %t.o -verify -lite=0 -stock-pipeline 2>&1 | FileCheck %s --check-prefix STOCK
# STOCK: MOV32ri has the operand 0x{{[0-9a-f]+}} instead of 0x{{[0-9a-f]+}}
	.section .among, "awx", @progbits
	.globl in_data
	.type in_data, @function
in_data:
	movl $9, %eax
	retq
	nop
	nop
	.size in_data, . - in_data

	.section .behind, "aw", @progbits
	.globl behind
behind:	.quad 5

	.data
	.globl end_in_data
end_in_data:
	.quad code_end

	.text
	.globl _start
	.type _start, @function
_start:	movl $behind, %ecx
	movl (%rcx), %ebx
	movl $last, %ecx
	movl $code_end, %edx
	cmpq %rdx, end_in_data
	jne 1f
	subl %ecx, %edx
	addl %edx, %ebx
	callq last
	addl %eax, %ebx
	callq in_data
	addl %eax, %ebx
1:	movl $60, %eax
	xorl %edi, %edi
	cmpl $27, %ebx
	setne %dil
	syscall
	hlt
	.size _start, . - _start

	.section of_code, "ax", @progbits
	.globl last
	.type last, @function
last:	movl $7, %eax
	retq
	.size last, . - last
	.globl code_end
code_end:
