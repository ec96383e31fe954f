# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Padding that makes jumps longer: it is planned again with their new sizes.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -print-alignment -spike-stats=json -spike-stats-file=%t.json | FileCheck %s
# RUN: %python %tools/exit-code.py 7 %t.o
# RUN: graupel-bolt %t -o %t.off -data=%t.fdata -align-hot-blocks=0 -spike-stats=json -spike-stats-file=%t.off.json
#
# The loop of 32 bytes lies 6 bytes before a window. Two jumps over it reach
# 127 and 123 bytes, so with these 6 bytes each is 4 bytes longer, and the loop
# needs 30 bytes, more than planned at first.
# CHECK:      reach: decode windows
# CHECK-NEXT:   {{.*}} at 32, count 100000{{$}}
# RUN: %python %S/Inputs/loops.py %t.json %t.off.json reach:1:2 | FileCheck %s -check-prefix LOOPS
# LOOPS: reach: 1 window with alignment, 2 without
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 reach 0 0 100
# FDATA: 1 reach #Lfirst# 1 reach #Lsecond# 0 100
# FDATA: 1 reach #Lskip# 1 reach #Lbefore# 0 100
# FDATA: 1 reach #Lenter# 1 reach #Lhead# 0 100
# FDATA: 1 reach #Lback# 1 reach #Lhead# 0 99900
# FDATA: 1 reach #Lback# 1 reach #Lbehind# 0 100

	.text
	.globl reach
	.type reach,@function
reach:
	movl $1000, %ecx
	testl %edi, %edi
Lfirst:
	jne Lexit
Lsecond:
	testl %edi, %edi
Lskip:
	jne Lexit
Lbefore:
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
Lenter:
	cmc
Lhead:
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	addq $2, %rax
	decl %ecx
Lback:
	jnz Lhead
Lbehind:
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	xorl %eax, %eax
Lexit:
	ret
	.size reach, .-reach

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
	callq reach
	movl $60, %eax
	movl $7, %edi
	syscall
	.size _start, .-_start
