# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Code for one thread jumps over a lock prefix, into the instruction: what has a
# prefix must keep it wherever blocks go.
#
# REQUIRES: x86_64, gcc
# RUN: split-file %s %t.d
# RUN: gcc -O1 %t.d/main.c %t.d/add.s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.plain -verify && %t.plain | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.s1 -layout=none -stress-layout=1 && %t.s1 | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.s2 -layout=none -stress-layout=2 && %t.s2 | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.s3 -layout=none -stress-layout=3 && %t.s3 | FileCheck %s
# RUN: llvm-objdump -d --no-show-raw-insn %t.s1 | FileCheck %s --check-prefix=CODE
# CODE: lock
# CODE-NEXT: addq
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.spike -layout=spike -data=%t.gprofile && %t.spike | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.hco -hco -hco-growth=1000 -data=%t.gprofile && %t.hco | FileCheck %s
# CHECK: sum 3998
#
#--- main.c
#include <stdio.h>
long Sum;
long add(long *To, long What, int Threads);
int main() {
  for (int I = 0; I < 2000; ++I)
    add(&Sum, I % 4 + (I & 1), I % 3);
  printf("sum %ld\n", Sum - 2);
}
#--- add.s
	.text
	.globl	add
	.type	add, @function
add:
	.cfi_startproc
	cmpl	$1, %edx
	jle	1f
	lock
1:	addq	%rsi, (%rdi)
	jns	2f
	movq	$0, (%rdi)
2:	movq	(%rdi), %rax
	ret
	.cfi_endproc
	.size	add, .-add
	.section	.note.GNU-stack, "", @progbits
