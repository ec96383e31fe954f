// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler of faults knows by their addresses which instructions may fault, and a
// canceled thread is told by such a range whether its system call has begun. In a
// copy they would not be found. So functions stay into which data leads and that
// have no jump which could go there.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} = -O2
// DEFINE: %{test} = gcc -w %{flags} %s -o %t && %t > %t.out && rm -f %t.gprofile \
// DEFINE:   && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile > %t.log && %t.i | diff %t.out - \
// DEFINE:   && graupel-bolt %t -o %t.o -data=%t.gprofile -copies=always -print-protected -verify | FileCheck %s && %t.o | diff %t.out -
// RUN: %{test}
// REDEFINE: %{flags} = -O2 -no-pie -fno-pie
// RUN: %{test}
// REDEFINE: %{flags} = -O2 -DIN_CODE
// RUN: %{test}
// REDEFINE: %{flags} = -O2 -no-pie -fno-pie -DIN_CODE
// RUN: %{test}
// CHECK: GRAUPEL-INFO: readSafely left as it is: {{the address of an instruction in it is known|a code address inside it escapes}}
//
// Tables in sections of their own hold distances.
// RUN: gcc -w -O1 -no-pie %S/../Protect/code-tables.c -o %t && %t 3 > %t.out && rm -f %t.gprofile
// RUN: graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile > %t.log && %t.i 3 | diff %t.out -
// RUN: graupel-bolt %t -o %t.o -data=%t.gprofile -copies=always -verify > %t.log && %t.o 3 | diff %t.out -
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

// An entry as programs write it: not in a section of its own.
extern char *const Faulting[3];
extern char mayFault[], mayNotFault[], goesOn[];

NOINLINE int readSafely(const int *From) {
  int Result = 0;
  __asm__ volatile("nopl 0(%%rax, %%rax)\n"
                   "nopl 0(%%rax, %%rax)\n"
                   "mayFault: movl (%1), %0\n"
                   "mayNotFault: addl $1, %0\n"
                   "goesOn:\n"
#ifndef IN_CODE
                   ".pushsection .data.rel.ro, \"aw\", @progbits\n"
                   "  .balign 8\n"
                   "  .globl Faulting\n"
                   "Faulting: .quad mayFault, mayNotFault, goesOn\n"
                   ".popsection\n"
#endif
                   : "+r"(Result)
                   : "r"(From)
                   : "memory");
  return Result;
}

static void fixUp(int Signal, siginfo_t *Info, void *Context) {
  greg_t *Registers = ((ucontext_t *)Context)->uc_mcontext.gregs;
  char *At = (char *)Registers[REG_RIP];
#ifdef IN_CODE // In a function that has no profile, and is not read.
  if (At < mayFault || At >= mayNotFault)
    _exit(9);
  Registers[REG_RIP] = (greg_t)goesOn;
#else
  if (At < Faulting[0] || At >= Faulting[1])
    _exit(9);
  Registers[REG_RIP] = (greg_t)Faulting[2];
#endif
}

int main(void) {
  struct sigaction Action = {.sa_flags = SA_SIGINFO};
  Action.sa_sigaction = fixUp;
  sigaction(SIGSEGV, &Action, 0);
  long Sum = 0;
  for (int I = 0; I < 10000; ++I)
    Sum += readSafely(&I);
  printf("%ld %d\n", Sum, readSafely((const int *)16));
  return 0;
}
