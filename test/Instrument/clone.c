// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Threads and, in static programs, children that the program makes by system calls
// of its own: no C library tells of them.
//
// RUN: %exact %s -o %t --builds gcc:static,clang:static --runs 1 --expect inThread=1000000 inChild=100
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie --runs 1 --flags=-DTHREADS --expect inThread=1000000

#define _GNU_SOURCE
#include "units.h"
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

UNIT(inThread, 1)
UNIT(inChild, 2)

/// Starts Function on the stack that ends at Stack; *Alive becomes 0 at its end.
int startThread(void (*Function)(void), void *Stack, long Flags, int *Alive);
asm(".type startThread, @function\n"
    "startThread:\n\t"
    "xorl %eax, %eax\n\t"
    "movb $56, %al\n\t" // SYS_clone, as musl has it.
    "movq %rdi, %r9\n\t"
    "movq %rdx, %rdi\n\t"
    "movq %rcx, %r10\n\t"
    "xorl %edx, %edx\n\t"
    "xorl %r8d, %r8d\n\t"
    "syscall\n\t"
    "testl %eax, %eax\n\t"
    "jnz 1f\n\t"
    "xorl %ebp, %ebp\n\t"
    "callq *%r9\n\t"
    "movl $60, %eax\n\t"
    "xorl %edi, %edi\n\t"
    "syscall\n"
    "1:\n\t"
    "retq\n\t"
    ".size startThread, . - startThread");

int forkByHand(void);
asm(".type forkByHand, @function\n"
    "forkByHand:\n\t"
    "movl $57, %eax\n\t"
    "syscall\n\t"
    "retq\n\t"
    ".size forkByHand, . - forkByHand");

/// Uses nothing of the C library: the thread has its creator's variables.
static void count(void) {
  for (int I = 0; I < 250000; ++I)
    inThread();
}

int main(void) {
  enum { NumThreads = 4, StackSize = 65536 };
  static char Stacks[NumThreads][StackSize] __attribute__((aligned(64)));
  static int Alive[NumThreads];
  const long Flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                     CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  for (int I = 0; I < NumThreads; ++I) {
    Alive[I] = 1;
    if (startThread(count, Stacks[I] + StackSize, Flags, &Alive[I]) < 0)
      return 1;
  }
  for (int I = 0; I < NumThreads; ++I)
    while (__atomic_load_n(&Alive[I], __ATOMIC_ACQUIRE))
      syscall(SYS_futex, &Alive[I], FUTEX_WAIT, 1, NULL);
#ifndef THREADS
  const int Child = forkByHand();
  if (Child == 0) {
    for (int I = 0; I < 100; ++I)
      inChild();
    _exit(0);
  }
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return 2;
#endif
  return 0;
}
