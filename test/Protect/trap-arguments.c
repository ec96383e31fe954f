// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of traps, as BUG() macros have them: a handler reads what is behind the
// instruction and goes on behind that. Decoded it is a branch out of the function
// (0x78) or a prefix without effect. Nops alone are padding.
//
// REQUIRES: x86_64, gcc
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t/p
// RUN: %t/p > %t/expected
// RUN: graupel-bolt %t/p -o %t/q -verify -print-protected | FileCheck %s
// RUN: %t/q | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/i -instrument && %t/i | diff %t/expected -
// RUN: graupel-bolt %t/p -o %t/h -data=%t/i.gprofile -hco -hco-growth=1000 -verify
// RUN: %t/h | diff %t/expected -
// CHECK-DAG: branch left as it is: only a trap leads to some of its code
// CHECK-DAG: prefix left as it is: only a trap leads to some of its code
// CHECK-NOT: {{(main|unrelated|never)}} left as it is
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

static long Sum;

static void step(int Signal, siginfo_t *Info, void *Context) {
  greg_t *Registers = ((ucontext_t *)Context)->uc_mcontext.gregs;
  const char *At = (const char *)Registers[REG_RIP];
  int Argument;
  memcpy(&Argument, At + 2, sizeof Argument);
  Sum = Sum * 3 + Argument;
  Registers[REG_RIP] += 6;
}

NOINLINE int branch(int X) {
  if (X % 7 == 0)
    __asm__ volatile("ud2\n.long 0x00345678");
  return X % 5 ? X : X * 2;
}

NOINLINE int unrelated(int X) {
  if (X % 9 == 0)
    return X + 3;
  return X % 5 ? X ^ 5 : X * 2;
}

NOINLINE int prefix(int X) {
  if (X % 6 == 0)
    __asm__ volatile("ud2\n.byte 0x48, 0x49, 0x01, 0xc0");
  return X % 5 ? X : X * 3;
}

NOINLINE int never(int X) {
  if (X < 0)
    __builtin_trap();
  return X % 5 ? X : X * 6;
}

int main(void) {
  struct sigaction Action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &Action, 0);
  long All = 0;
  for (int I = 0; I < 70; ++I)
    All += branch(I) + unrelated(I) + prefix(I) + never(I);
  printf("%ld %ld\n", All, Sum);
  return 0;
}
