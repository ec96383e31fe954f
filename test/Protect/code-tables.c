// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables about instructions that kernels have and programs copy: where to go
// on after a fault (__ex_table), which nop to make a jump (__jump_table), which
// instructions are restarted as one (__rseq_cs), where probes may be
// put (.note.stapsdt). Ranges must stay in one piece, nops where they are.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --must-split 0 --train "1" --test "1" --test "3" --flags="-O2" --flags="-O1 -no-pie"
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK-DAG: GRAUPEL-INFO: readSafely left as it is: a number that is never updated leads to it
// CHECK-DAG: GRAUPEL-INFO: tracing left as it is: {{its instructions are there to be patched or probed|no known jump leads to some of its code}}
// CHECK-DAG: GRAUPEL-INFO: alsoRestartable left as it is: data holds the address of an instruction in it
// CHECK-DAG: GRAUPEL-INFO: probed left as it is: its instructions are there to be patched or probed
//
// Without relocations.
// RUN: gcc -O2 -no-pie %s -o %t.exe && %t.exe 3 > %t.before
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// RUN: %t.o 3 | diff %t.before -
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

NOINLINE int readSafely(const int *From) {
  int Result, Failed = 0;
  __asm__ volatile("1: movl (%2), %0\n"
                   "2:\n"
                   ".pushsection .fixup, \"ax\", @progbits\n"
                   "fixup%=:\n"
                   "3: movl $-14, %1\n"
                   "   xorl %0, %0\n"
                   "   jmp 2b\n"
                   ".popsection\n"
                   ".pushsection __ex_table, \"a\", @progbits\n"
                   "  .balign 4\n"
                   "  .long 1b - ., 3b - .\n"
                   ".popsection\n"
                   : "=&r"(Result), "+r"(Failed)
                   : "r"(From));
  return Failed ? Failed : Result;
}

extern const int32_t __start___ex_table[], __stop___ex_table[];

static void fixUp(int Signal, siginfo_t *Info, void *Context) {
  greg_t *Registers = ((ucontext_t *)Context)->uc_mcontext.gregs;
  for (const int32_t *Entry = __start___ex_table; Entry < __stop___ex_table;
       Entry += 2)
    if ((greg_t)Entry + Entry[0] == Registers[REG_RIP]) {
      Registers[REG_RIP] = (greg_t)(Entry + 1) + Entry[1];
      return;
    }
  _Exit(9);
}

NOINLINE int tracing(int X) {
  __asm__ goto("1: .byte 0x0f, 0x1f, 0x44, 0, 0\n"
               ".pushsection __jump_table, \"aw\", @progbits\n"
               "  .balign 8\n"
               "  .quad 1b, %l[On]\n"
               ".popsection\n"
               :
               :
               :
               : On);
  return X * 2;
On:
  return X + 100;
}

extern const unsigned char *const __start___jump_table[];

/// "version, flags, start, length, abort" as in linux/rseq.h.
struct Section {
  uint32_t Version, Flags;
  uintptr_t Start, Length, Abort;
};

// BOLT skips this one by itself.
NOINLINE const struct Section *restartable(long *Counter) {
  const struct Section *Described;
  __asm__ volatile(".pushsection __rseq_cs, \"aw\", @progbits\n"
                   "  .balign 32\n"
                   "9: .long 0, 0\n"
                   "  .quad 1f, 2f - 1f, 4f\n"
                   ".popsection\n"
                   "  leaq 9b(%%rip), %0\n"
                   "1: cmpq $50, %1\n"
                   "  ja 4f\n"
                   "  incq %1\n"
                   "2: jmp 5f\n"
                   "4: addq $2, %1\n"
                   "5:\n"
                   : "=&r"(Described), "+m"(*Counter));
  return Described;
}

// The same, in a section like any other.
NOINLINE const struct Section *alsoRestartable(long *Counter) {
  const struct Section *Described;
  __asm__ volatile(".pushsection .data.rel.ro, \"aw\", @progbits\n"
                   "  .balign 32\n"
                   "9: .long 0, 0\n"
                   "  .quad 1f, 2f - 1f, 4f\n"
                   ".popsection\n"
                   "  leaq 9b(%%rip), %0\n"
                   "1: cmpq $50, %1\n"
                   "  ja 4f\n"
                   "  incq %1\n"
                   "2: jmp 5f\n"
                   "4: addq $2, %1\n"
                   "5:\n"
                   : "=&r"(Described), "+m"(*Counter));
  return Described;
}

/// The section is what it was when the program was assembled.
static int isWhole(const struct Section *S) {
  const unsigned char *End = (const unsigned char *)S->Start + S->Length;
  return S->Abort > S->Start && S->Abort - S->Start < 64 &&
         (*End == 0xeb || *End == 0xe9);
}

NOINLINE int probed(int X) {
  __asm__ volatile("1: nop\n"
                   ".pushsection .note.stapsdt, \"\", @note\n"
                   "  .balign 4\n"
                   "  .long 8, 3f - 2f, 3\n"
                   "  .asciz \"stapsdt\"\n"
                   "2: .quad 1b, 0, 0\n"
                   "  .asciz \"test\", \"probed\", \"\"\n"
                   "3: .balign 4\n"
                   ".popsection\n");
  return X - 4;
}

int main(int Argc, char **Argv) {
  struct sigaction Action = {.sa_sigaction = fixUp, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &Action, 0);
  static long Counter = 49;
  int Good = 12;
  for (int I = 0; I < atoi(Argv[1]); ++I) {
    printf("%d %d\n", readSafely(&Good), readSafely((const int *)8));
    printf("%d %d\n", tracing(I), probed(I));
    const struct Section *S = restartable(&Counter);
    const struct Section *T = alsoRestartable(&Counter);
    printf("%ld %d %d\n", Counter, isWhole(S), isWhole(T));
  }
  printf("%d\n", memcmp(__start___jump_table[0], "\x0f\x1f\x44\0\0", 5));
  return 0;
}
