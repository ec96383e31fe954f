// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Handlers interrupt instrumented code between any two instructions and run the
// same code: no count is lost, and flags and red zone are what they were.
//
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie,clang:static --said --runs 1
// RUN: %exact %s -o %t.atomic --bolt=-atomic --builds gcc:pie --said --runs 1

#include "units.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

UNIT(direct, 1)
UNIT(indirect, 2)

/// Keeps its numbers in the red zone, and flags alive through all its blocks.
KEPT unsigned long chain(void) {
  unsigned long Sum, Twos;
  asm volatile("movq $0x1234, -8(%%rsp)\n\t"
               "movq $0, -128(%%rsp)\n\t"
               "movl $20, %%ecx\n\t"
               "xorl %%edx, %%edx\n\t"
               "stc\n"
               "1:\n\t"
               "adcq $5, -128(%%rsp)\n\t"
               "decq %%rcx\n\t"
               "jp 2f\n\t"
               "leaq 1(%%rdx), %%rdx\n\t"
               "jmp 3f\n"
               "2:\n\t"
               "leaq 256(%%rdx), %%rdx\n"
               "3:\n\t"
               "jnz 1b\n\t"
               "movq -128(%%rsp), %0\n\t"
               "addq -8(%%rsp), %0"
               : "=a"(Sum), "=d"(Twos)
               :
               : "rcx", "cc", "memory");
  return Sum * 65536 + Twos;
}

static unsigned long Right;
static volatile unsigned long Handled, Calls;
static void (*volatile Pointer)(void) = indirect;

static void work(void) {
  if (chain() != Right)
    abort();
  direct();
  Pointer();
}

static void handle(int Signal) {
  work();
  Handled = Handled + 1;
}

int main(void) {
  Right = chain();
  if (Right / 65536 != 0x1234 + 20 * 5 + 1)
    return 1;
  struct sigaction Action = {.sa_handler = handle};
  sigaction(SIGALRM, &Action, NULL);
  const struct itimerval Often = {{0, 50}, {0, 50}}, Never = {};
  setitimer(ITIMER_REAL, &Often, NULL);
  unsigned long Loops = 0;
  for (; Handled < 3000; ++Loops)
    work();
  setitimer(ITIMER_REAL, &Never, NULL);
  Loops += Handled;
  printf("chain%%%lu direct=%lu indirect=%lu\n", Loops + 1, Loops, Loops);
  return 0;
}
