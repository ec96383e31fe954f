// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler of signals, such as a profiler's, unwinds from any instruction. The
// frame of a branch is that before it: a rule behind the branch does not hold yet.
// The program steps through its functions and looks for its own frame from each
// instruction.
//
// REQUIRES: x86_64, gcc
// RUN: %modes %s --flags="-O1 -fno-omit-frame-pointer" --out %t.modes | FileCheck %s
// CHECK: 10 passed, 0 failed
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <unwind.h>

#define TRAP_FLAG 0x100

static volatile int Done;
static unsigned long Steps, Lost, Frame;

static _Unwind_Reason_Code visit(struct _Unwind_Context *At, void *Found) {
  if (_Unwind_GetCFA(At) != Frame)
    return _URC_NO_REASON;
  *(int *)Found = 1;
  return _URC_END_OF_STACK;
}

static void atStep(int Signal, siginfo_t *Info, void *Context) {
  int Found = 0;
  if (Done) {
    ((ucontext_t *)Context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    return;
  }
  ++Steps;
  _Unwind_Backtrace(visit, &Found);
  Lost += !Found;
}

__attribute__((noinline)) static int add(int A, int B) { return A + B; }

/* Each case has an end of its own, and jumps to the others'. */
__attribute__((noinline)) static int choose(int N) {
  switch (N % 8) {
  case 0:
    return add(N, 3);
  case 1:
    return N * 5;
  case 2:
    return add(N, N) + add(N, 1);
  case 3:
    return N - 7;
  case 4:
    return add(N / 2, 9);
  case 5:
    return 40;
  case 6:
    return N ^ 21;
  }
  return -N;
}

__attribute__((noinline)) static int leaveEarly(int N) {
  char Room[64];
  if (N % 3 == 0)
    return N;
  for (int I = 0; I < 64; ++I)
    Room[I] = add(N, I);
  if (N % 5 == 0)
    return Room[N & 63];
  return choose(Room[7]) + Room[(N + 1) & 63];
}

__attribute__((noinline)) static int step(int Times) {
  int Sum = 0;
  Frame = (unsigned long)__builtin_dwarf_cfa();
  __asm__ volatile("subq $128, %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\t"
                   "addq $128, %%rsp" ::"i"(TRAP_FLAG)
                   : "memory", "cc");
  for (int I = 0; I < Times; ++I)
    Sum = Sum * 3 + choose(I) + leaveEarly(I);
  Done = 1;
  __asm__ volatile("nop" ::: "memory");
  return Sum;
}

int main(void) {
  struct sigaction Action = {.sa_sigaction = atStep, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &Action, NULL);
  const int Sum = step(60);
  printf("%d: %s, %lu lost\n", Sum, Steps > 10000 ? "stepped" : "not stepped",
         Lost);
  return Lost != 0;
}
