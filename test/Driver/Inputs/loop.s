# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# work() has a loop with a path that its profile never takes; exits with 55.
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 work 0 0 1
# FDATA: 1 work #Ltest# 1 work #Lhot# 0 10
# FDATA: 1 work #Lagain# 1 work #Lloop# 0 9
# FDATA: 1 work #Lagain# 1 work #Lreturn# 0 1
	.text
	.globl work
	.type work,@function
work:
	xorl %eax, %eax
	movl $10, %ecx
Lloop:
	testl %edi, %edi
Ltest:
	jne Lcold
Lhot:
	addl %ecx, %eax
Llatch:
	decl %ecx
Lagain:
	jne Lloop
Lreturn:
	retq
Lcold:
	imull $3, %eax, %eax
	addl $17, %eax
	xorl $5, %eax
	jmp Llatch
	.size work, .-work

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
Lcall:
	callq work
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
