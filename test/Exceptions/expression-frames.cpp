// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame whose address an expression computes for a while, between two places
// with the same distance from the stack pointer: the latter keeps its rule.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O1 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify
// RUN: readelf --debug-dump=frames-interp %t.o | FileCheck %s
// CHECK: rsp+48
// CHECK: exp
// CHECK-NEXT: rsp+48
// RUN: %modes %s --compiler g++ --out %t.modes | FileCheck %s --check-prefix=MODES
// MODES: 10 passed, 0 failed
#include <cstdio>

extern "C" int framed(int (*Callee)(int), int N);

asm(R"(
	.text
	.p2align 4
	.globl framed
	.type framed, @function
framed:
	.cfi_startproc
	subq $40, %rsp
	.cfi_def_cfa_offset 48
	movq %rdi, %rax
	movl %esi, %edi
	movq $0, 16(%rsp)
	testl $2, %esi
	je 2f
	.cfi_remember_state
	leaq 48(%rsp), %rdx
	movq %rdx, 16(%rsp)
	.cfi_escape 0x0f, 3, 0x77, 16, 0x06 # The word at %rsp + 16.
	call *%rax
	jmp 3f
	.cfi_restore_state
2:	call *%rax
3:	addq $40, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size framed, . - framed
)");

__attribute__((noinline)) static int work(int N) {
  if (N % 2)
    throw N;
  return N;
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 9; ++I)
    try {
      Sum += framed(work, I);
    } catch (int N) {
      Sum += 10 * N;
    }
  printf("sum %d\n", Sum);
  return 0;
}
