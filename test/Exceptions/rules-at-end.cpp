// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unwind rules that begin where a function ends: clang's coroutines without
// optimization have them behind their last call, for which they do not hold.
//
// REQUIRES: x86_64, g++
// RUN: g++ -O1 -fno-omit-frame-pointer %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify && %t.o
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i
// RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile -layout=spike -verify && %t.p
//
// RUN: g++ -O1 -fno-omit-frame-pointer %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify && %t.o
extern "C" [[noreturn]] void ends_in_call(void (*Function)(int), int N);

asm(R"(
	.text
	.globl ends_in_call
	.type ends_in_call, @function
ends_in_call:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq $48, %rsp
	movq %rdi, %rax
	movl %esi, %edi
	callq *%rax
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	.cfi_endproc
	.size ends_in_call, . - ends_in_call
)");

static void thrower(int N) { throw N; }

__attribute__((noinline)) static int catcher(int N) {
  try {
    ends_in_call(thrower, N);
  } catch (int X) {
    return X + N;
  }
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 5; ++I)
    Sum += catcher(I);
  return Sum != 20;
}
