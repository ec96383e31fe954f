// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of assembly with an unwind record for each of two stretches and a gap
// between, as glibc's clone() has: BOLT reads the record of its beginning only.
//
// REQUIRES: x86_64, g++
// RUN: g++ -O1 %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
// CHECK: call_back left as it is: it has several unwind records
// RUN: %t.o
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i
// RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -layout=spike -verify
// RUN: %t.p
extern "C" int call_back(int (*Function)(int), int N);

asm(R"(
	.text
	.globl call_back
	.type call_back, @function
call_back:
	.cfi_startproc
	testl %esi, %esi
	jne 1f
	xorl %eax, %eax
	retq
	.cfi_endproc
	nop
1:	pushq %rbx
	pushq %rbp
	subq $40, %rsp
	movq %rdi, %rax
	movl %esi, %edi
	movl $-1, %ebx
	movl $-1, %ebp
	.cfi_startproc
	.cfi_def_cfa_offset 64
	.cfi_offset %rbx, -16
	.cfi_offset %rbp, -24
	callq *%rax
	addq $40, %rsp
	.cfi_def_cfa_offset 24
	popq %rbp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	retq
	.cfi_endproc
	.size call_back, . - call_back
)");

__attribute__((noinline)) static int check(int N) {
  if (N % 3 == 1)
    throw N;
  return N;
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 9; ++I)
    try {
      Sum += call_back(check, I);
    } catch (int N) {
      Sum += 10 * N;
    }
  return Sum != 144;
}
