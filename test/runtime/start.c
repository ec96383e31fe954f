// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// The program's own entry point finds registers and stack as the kernel left
// them, and what was counted before it is not lost.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog -- -static -nostartfiles -nostdlib
// RUN: %t.prog one two
// RUN: not %t.prog one
// RUN: %profile %t.prog.profile | FileCheck %s
// RUN: %runtime-build %s -o %t.resolver -- -DRESOLVER
// RUN: %t.resolver && %profile %t.resolver.profile | FileCheck %s
// CHECK: counter 0 2

#include "image.h"

#ifdef RESOLVER
// Runs while the dynamic linker relocates.
static void *resolve(void) {
  extern int implementation(void);
  COUNT(0);
  return implementation;
}
int implementation(void) {
  COUNT(0);
  return 0;
}
__attribute__((ifunc("resolve"))) int function(void);
int main(void) { return function(); }

#else
__attribute__((noreturn)) static void leave(int Status) {
  asm volatile("syscall" ::"a"(231), "D"(Status));
  __builtin_unreachable();
}

__attribute__((used)) void begin(uint64_t *Stack, uint64_t *Registers) {
  COUNT(0);
  const char **Arguments = (const char **)(Stack + 1);
  if ((uint64_t)Stack % 16 || Stack[0] != 3 || Arguments[3])
    leave(1);
  if (Arguments[1][0] != 'o' || Arguments[2][0] != 't')
    leave(2);
  // Linux clears them all.
  for (int I = 0; I < 14; ++I)
    if (Registers[I])
      leave(3);
  leave(0);
}

__attribute__((naked)) void _start(void) {
  asm("pushq %rax; pushq %rbx; pushq %rcx; pushq %rdx; pushq %rsi\n"
      "pushq %rdi; pushq %rbp; pushq %r8; pushq %r9; pushq %r10\n"
      "pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
      "leaq 112(%rsp), %rdi\n"
      "movq %rsp, %rsi\n"
      "call begin");
}
#endif
