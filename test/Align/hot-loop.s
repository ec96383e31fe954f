# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where blocks of hot functions are aligned, and where not.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -hco=false -print-alignment -spike-stats=json -spike-stats-file=%t.json | FileCheck %s
# RUN: %python %tools/exit-code.py 7 %t.o
# RUN: graupel-bolt %t -o %t.off -data=%t.fdata -hco=false -print-alignment -align-hot-blocks=0 -spike-stats=json -spike-stats-file=%t.off.json | FileCheck %s -check-prefix OFF -allow-empty
#
# "long" is a loop of 32 bytes, which lies across two windows unless it is
# aligned. "kept" is one of 8 bytes that the compiler had aligned. "rare" goes
# round twice only: what runs through padding each time costs more.
# CHECK:      long: decode windows
# CHECK-NEXT:   {{.*}} at {{16|32}}, count 100000{{$}}
# CHECK:      kept: decode windows
# CHECK-NEXT:   {{.*}} at 16, count 100000, as the compiler had it
# CHECK-NOT:  rare: decode windows
# OFF-NOT: decode windows
#
# The simulator agrees with what is really emitted.
# RUN: %python %S/Inputs/loops.py %t.json %t.off.json long:1:2 kept:1:1 | FileCheck %s -check-prefix LOOPS
# LOOPS: long: 1 window with alignment, 2 without
# LOOPS: kept: 1 window with alignment, 1 without
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 long 0 0 100
# FDATA: 1 long #Lenter1# 1 long #Lhead1# 0 100
# FDATA: 1 long #Lback1# 1 long #Lhead1# 0 99900
# FDATA: 1 long #Lback1# 1 long #Lexit1# 0 100
# FDATA: 0 [unknown] 0 1 kept 0 0 100
# FDATA: 1 kept #Lenter2# 1 kept #Lhead2# 0 100
# FDATA: 1 kept #Lback2# 1 kept #Lhead2# 0 99900
# FDATA: 1 kept #Lback2# 1 kept #Lexit2# 0 100
# FDATA: 0 [unknown] 0 1 rare 0 0 50000
# FDATA: 1 rare #Lenter3# 1 rare #Lhead3# 0 50000
# FDATA: 1 rare #Lback3# 1 rare #Lhead3# 0 50000
# FDATA: 1 rare #Lback3# 1 rare #Lexit3# 0 50000

	.text
	.globl long
	.type long,@function
long:
	movl $1000, %ecx
	leal 20(%rcx), %edx
	xorl %eax, %eax
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
Lenter1:
	leaq 64(%rdx), %rsi
Lhead1:
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	addq $2, %rax
	decl %ecx
Lback1:
	jnz Lhead1
Lexit1:
	ret
	.size long, .-long

	.globl kept
	.type kept,@function
kept:
	movl $1000, %ecx
	xorl %eax, %eax
Lenter2:
	xorl %edx, %edx
	.p2align 4
Lhead2:
	addq $2, %rax
	decl %ecx
Lback2:
	jnz Lhead2
Lexit2:
	ret
	.size kept, .-kept

	.globl rare
	.type rare,@function
rare:
	movl $2, %ecx
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
	leaq 64(%rdx), %rsi
Lenter3:
	leaq 64(%rdx), %rsi
Lhead3:
	decl %ecx
Lback3:
	jnz Lhead3
Lexit3:
	ret
	.size rare, .-rare

	.globl _start
	.type _start,@function
_start:
	callq long
	callq kept
	callq rare
	movl $60, %eax
	movl $7, %edi
	syscall
	.size _start, .-_start
