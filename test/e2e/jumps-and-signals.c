// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setjmp and longjmp out of cold parts, signal handlers (on their own stack, too)
// that interrupt and leave split functions, threads.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train 0 --test 1 --test 2 --test 3 --test 4 --flags="-O2 -pthread" --flags="-O1 -pthread -no-pie"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static int Mode;
static jmp_buf Back;
static sigjmp_buf SignalBack;
static volatile sig_atomic_t Signals;

NOINLINE void jumpIf(int X, int Depth) {
  if (Depth > 0) {
    jumpIf(X, Depth - 1);
    printf(Mode ? "." : "");
    return;
  }
  if (Mode == 1 && X % 5 == 2)
    longjmp(Back, X);
}

NOINLINE int catchJump(int X) {
  volatile int Kept = X * 2;
  const int Came = setjmp(Back);
  if (Came) {
    printf("[jumped %d] ", Came);
    Kept += Came;
  } else {
    jumpIf(X, 4);
  }
  return Kept;
}

void handler(int Signal) {
  Signals++;
  if (Signal == SIGSEGV)
    siglongjmp(SignalBack, Signal);
}

NOINLINE int touch(volatile int *Address, int X) {
  if (!Address) {
    if (sigsetjmp(SignalBack, 1) == 0)
      return *Address + X;
    printf("[caught] ");
    return -X;
  }
  return *Address + X;
}

NOINLINE int interrupted(int X) {
  if (Mode == 3) {
    raise(SIGUSR1);
    if (X == 7)
      kill(getpid(), SIGUSR2);
  }
  return X ^ 5;
}

static atomic_uint Shared;

NOINLINE unsigned share(unsigned X) {
  unsigned Local = 0;
  for (unsigned I = 0; I < 1000; ++I) {
    Local += I * X;
    if (Mode == 4 && I % 250 == 249)
      atomic_fetch_add(&Shared, Local % 11);
  }
  return Local;
}

void *thread(void *Argument) {
  unsigned *Slot = Argument;
  *Slot = share(*Slot);
  if (Mode == 4)
    pthread_exit(Slot);
  return Slot;
}

int main(int Argc, char **Argv) {
  Mode = atoi(Argv[1]);
  static char Stack[1 << 16];
  stack_t Alternative = {.ss_sp = Stack, .ss_size = sizeof Stack};
  sigaltstack(&Alternative, NULL);
  struct sigaction Action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &Action, NULL);
  sigaction(SIGUSR1, &Action, NULL);
  sigaction(SIGUSR2, &Action, NULL);

  volatile int Sum = 0;
  int Value = 3;
  for (volatile int I = 0; I < 20; ++I) {
    Sum += catchJump(I);
    Sum += touch(Mode == 2 && I % 6 == 0 ? NULL : &Value, I);
    Sum += interrupted(I);
  }
  pthread_t Threads[4];
  unsigned Slots[4] = {1, 2, 3, 4};
  for (int I = 0; I < 4; ++I)
    pthread_create(&Threads[I], NULL, thread, &Slots[I]);
  for (int I = 0; I < 4; ++I) {
    pthread_join(Threads[I], NULL);
    Sum = Sum * 3 + Slots[I];
  }
  printf("%d, %d signals, shared %u\n", Sum, (int)Signals, Shared);
  return 0;
}
