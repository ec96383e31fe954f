// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler of faults looks for their places in a table of several entries, as the
// kernel does: distances from themselves, some behind a tag, or addresses of four bytes.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{how} = -fPIE -pie
// DEFINE: %{test} = gcc -O2 -s %{how} %s -o %t && %t && rm -f %t.gprofile \
// DEFINE:   && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.gprofile -verify && %t.i \
// DEFINE:   && graupel-bolt %t -o %t.o -data=%t.gprofile -copies=always -verify && %t.o
// RUN: %{test}
// REDEFINE: %{how} = -fPIE -pie -DTAG=5,
// RUN: %{test}
// REDEFINE: %{how} = -fPIE -pie -DTAG=5,7,11,
// RUN: %{test}
// REDEFINE: %{how} = -fno-pie -no-pie
// RUN: %{test}
// REDEFINE: %{how} = -fno-pie -no-pie -DTAG=5,
// RUN: %{test}
// REDEFINE: %{how} = -fno-pie -no-pie -DABSOLUTE
// RUN: %{test}
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef TAG
#define TAG
#endif
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)
enum { NumTags = sizeof(TEXT_OF(TAG)) > 3 ? 3 : sizeof(TEXT_OF(TAG)) > 1 };

struct Entry {
  int32_t Words[NumTags + 2];
};
extern struct Entry __start_faults[], __stop_faults[];

#ifdef ABSOLUTE
#define ENTRY ".long 1b, %l[bad]\n"
static char *placeOf(int32_t *Word) { return (char *)(long)*Word; }
#else
#define ENTRY ".long " TEXT_OF(TAG) " 1b - .\n.long %l[bad] - .\n"
static char *placeOf(int32_t *Word) { return (char *)Word + *Word; }
#endif

static void handle(int Signal, siginfo_t *Info, void *Context) {
  greg_t *Registers = ((ucontext_t *)Context)->uc_mcontext.gregs;
  for (struct Entry *E = __start_faults; E < __stop_faults; ++E)
    if (placeOf(&E->Words[NumTags]) == (char *)Registers[REG_RIP]) {
      Registers[REG_RIP] = (long)placeOf(&E->Words[NumTags + 1]);
      return;
    }
  _exit(99);
}

volatile int Many;
#define READER(NAME, FACTOR)                                                   \
  __attribute__((noinline)) long NAME(int **Places, int Number) {              \
    long Sum = Number > 1000 ? Many * Number : 0;                              \
    for (int I = 0; I < Number; ++I) {                                         \
      int Value;                                                               \
      asm goto("1: movl (%1), %0\n.pushsection faults,\"a\"\n.balign 4\n" ENTRY          \
               ".popsection"                                                   \
               : "=r"(Value)                                                   \
               : "r"(Places[I])                                                \
               :                                                               \
               : bad);                                                         \
      Sum += Value & 1 ? Value * FACTOR : Value + Many;                        \
      continue;                                                                \
    bad:                                                                       \
      Sum += 1000;                                                             \
    }                                                                          \
    return Sum;                                                                \
  }
READER(first, 3)
READER(second, 5)
READER(third, 7)

/* Is copied. */
__attribute__((noinline)) int count(int Number) {
  int Odd = 0;
  Many = Many * 3 + Number;
  for (int I = 0; I < Number; ++I)
    if (I * 7919 % 5 == 1)
      Odd += I & 1;
    else
      Many = 0;
  return Odd;
}

int main(void) {
  struct sigaction Action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &Action, 0);
  int Data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *Places[8];
  for (int I = 0; I < 8; ++I)
    Places[I] = I == 5 ? (int *)16 : Data + I;
  if (count(100) != 10)
    return 98;
  return first(Places, 8) + second(Places, 8) + third(Places, 8) !=
         3000 + 15 * 16 + 3 * 14;
}
