// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for the frame that hold behind .cfi_restore_state: of the outer part of a
// frame, whose distance is that of another place; and of one that an expression
// computes. Both hold wherever the blocks go.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O1 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.1 -stress-layout=1 -verify
// RUN: graupel-bolt %t.exe -o %t.2 -stress-layout=2 -verify
// RUN: graupel-bolt %t.exe -o %t.3 -stress-layout=3 -verify
// RUN: graupel-bolt %t.exe -o %t.4 -stress-layout=4 -verify
// RUN: graupel-bolt %t.exe -o %t.5 -stress-layout=5 -verify
// RUN: graupel-bolt %t.exe -o %t.6 -stress-layout=6 -verify
// RUN: %modes %s --compiler g++ --out %t.modes | FileCheck %s
// CHECK: 10 passed, 0 failed
#include <cstdio>

extern "C" {
int twoParts(int (*Callee)(int), int N);
int expressed(int (*Callee)(int), int N);
}

asm(R"(
	.text
	.p2align 4
	.globl twoParts
	.type twoParts, @function
twoParts:
	.cfi_startproc
	movq %rdi, %rax
	movl %esi, %edi
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	testl $2, %esi
	je 2f
	subq $32, %rsp
	.cfi_def_cfa_offset 48
	movq %rax, (%rsp)
	testl $4, %esi
	je 1f
	.cfi_remember_state
	call *%rax
	addq $40, %rsp
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	call *%rax
	movl %eax, %edi
	movq (%rsp), %rax
	addq $32, %rsp
	.cfi_def_cfa_offset 16
2:	call *%rax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size twoParts, . - twoParts

	.p2align 4
	.globl expressed
	.type expressed, @function
expressed:
	.cfi_startproc
	movq %rdi, %rax
	movl %esi, %edi
	subq $40, %rsp
	.cfi_def_cfa_offset 48
	testl $2, %esi
	je 4f
	leaq 48(%rsp), %rdx
	movq %rdx, 16(%rsp)
	.cfi_escape 0x0f, 3, 0x77, 16, 0x06 # The word at %rsp + 16.
	.cfi_remember_state
	testl $4, %esi
	je 3f
	movq $0, 16(%rsp)
	.cfi_def_cfa %rsp, 48
	testl $1, %esi
	je 2f
	call *%rax
	jmp 5f
2:	call *%rax
	jmp 5f
3:	.cfi_restore_state
	call *%rax
	movq $0, 16(%rsp)
	.cfi_def_cfa %rsp, 48
	jmp 5f
4:	movq $0, 16(%rsp)
	call *%rax
5:	addq $40, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size expressed, . - expressed
)");

__attribute__((noinline)) static int work(int N) {
  if (N % 2)
    throw N;
  return N;
}

static int through(int (*Frame)(int (*)(int), int), int N) {
  try {
    return Frame(work, N);
  } catch (int Thrown) {
    return 10 * Thrown;
  }
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 32; ++I)
    Sum += through(twoParts, I) + through(expressed, I);
  printf("sum %d\n", Sum);
  return 0;
}
