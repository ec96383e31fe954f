# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Unwinders and debuggers compare the bytes of the code that returns from a
# signal handler, which no counter may change.
#
# REQUIRES: x86_64, gcc
# RUN: gcc -nostdlib -static -Wl,--emit-relocs %s -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected | FileCheck %s
# CHECK: GRAUPEL-INFO: restore left as it is: it returns from signals, by which unwinders know it
# CHECK-NEXT: GRAUPEL-INFO: 1 function left as it is: 1 returns from signals
	.text
	.globl restore
	.type restore,@function
restore:
	movq $15, %rax
	syscall
	.size restore, .-restore
	.globl _start
	.type _start,@function
_start:
	leaq Byte(%rip), %rdi
	movzbl (%rdi), %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
	.data
Byte:	.byte 0
