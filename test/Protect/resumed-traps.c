// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code behind traps that a signal handler steps over, as emulators and reports
// of sanitizers do: nothing else may lead to it.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --must-split 0 --train "1" --test "1" --test "4" --flags="-O2" --flags="-O0" --flags="-O1 -no-pie"
//
// What nothing else leads to stays: a handler may count its bytes.
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -print-protected %t.exe -o %t.o | FileCheck %s
// CHECK-COUNT-4: left as it is: only a trap leads to some of its code
// CHECK: 4 functions left as they are
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

static void stepOver(int Signal, siginfo_t *Info, void *Context) {
  greg_t *Registers = ((ucontext_t *)Context)->uc_mcontext.gregs;
  const unsigned char *At = (const unsigned char *)Registers[REG_RIP];
  if (Signal == SIGTRAP) // Is behind it already.
    At -= 1;
  Registers[REG_RAX] += 5;
  Registers[REG_RIP] = (greg_t)At + (*At == 0xcc || *At == 0xf4  ? 1
                                     : At[1] == 0xb9 ? 3
                                                     : 2);
}

NOINLINE int behindUd2(int X) {
  __asm__ volatile("ud2" : "+a"(X));
  return X * 3 + 1;
}

NOINLINE int behindUd1(int X) {
  __asm__ volatile("ud1 %%ecx, %%ecx" : "+a"(X));
  return X * 5 + 1;
}

NOINLINE int behindInt3(int X) {
  __asm__ volatile("int3" : "+a"(X));
  return X * 7 + 1;
}

NOINLINE int behindHlt(int X) {
  __asm__ volatile("hlt" : "+a"(X));
  return X * 11 + 1;
}

NOINLINE int sometimes(int X) {
  if (X & 1)
    __asm__ volatile("ud2" : "+a"(X));
  for (int I = 0; I < X; ++I)
    if (X % 3)
      X ^= I;
  return X;
}

int main(int Argc, char **Argv) {
  struct sigaction Action = {.sa_sigaction = stepOver, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &Action, 0);
  sigaction(SIGTRAP, &Action, 0);
  sigaction(SIGSEGV, &Action, 0);
  for (int I = 0; I < atoi(Argv[1]); ++I)
    printf("%d %d %d %d %d\n", behindUd2(I), behindUd1(I), behindInt3(I),
           behindHlt(I), sometimes(I));
  return 0;
}
