// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Threads count exactly: by default each for itself, with -atomic together.
//
// RUN: %exact %s -o %t --flags=-pthread --builds gcc:pie,clang:no-pie,clang:static,gcc:static-pie \
// RUN:   --expect shared=2000000 called=2000000 early=1000 ended=2000 detached=10 left=1000 last=1000 c11=100 forked=100
// RUN: %exact %s -o %t.atomic --bolt=-atomic --flags=-pthread --builds gcc:pie,clang:static \
// RUN:   --expect shared=2000000 called=2000000 early=1000 ended=2000 detached=10 left=1000 last=1000 c11=100 forked=100
//
// However pthread_create is called.
// RUN: %exact %s -o %t.now --flags="-pthread -fno-plt -Wl,-z,now" --builds gcc:pie,clang:no-pie --runs 1 \
// RUN:   --expect shared=2000000 called=2000000 early=1000 ended=2000
//
// However the program is placed: by hand through the dynamic linker, and with the
// threads' counters below those of the program.
// RUN: rm %t.gcc.pie.inst.gprofile %t.gcc.static-pie.inst.gprofile
// RUN: setarch -R %t.gcc.pie.inst && /lib64/ld-linux-x86-64.so.2 %t.gcc.pie.inst
// RUN: %counts %t.gcc.pie.inst.gprofile shared=4000000 called=4000000 ended=4000 forked=200
// RUN: setarch -R %t.gcc.static-pie.inst
// RUN: %counts %t.gcc.static-pie.inst.gprofile shared=2000000 called=2000000 ended=2000 forked=100

#include "units.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

UNIT(shared, 1)
UNIT(called, 2)
UNIT(early, 3)
UNIT(ended, 4)
UNIT(detached, 5)
UNIT(left, 6)
UNIT(last, 7)
UNIT(c11, 8)
UNIT(forked, 9)

static void (*volatile Called)(void) = called;
static pthread_barrier_t AllRun;

static void *countMuch(void *Argument) {
  pthread_barrier_wait(&AllRun);
  for (int I = 0; I < 250000; ++I) {
    shared();
    Called();
  }
  return Argument;
}

/// Runs before main, beside the first thread.
static pthread_t Early;
static void *countEarly(void *Argument) {
  for (int I = 0; I < 1000; ++I)
    early();
  return Argument;
}
__attribute__((constructor)) static void construct(void) {
  if (pthread_create(&Early, NULL, countEarly, NULL))
    abort();
}

static void *endEarly(void *Argument) {
  ended();
  pthread_exit(Argument);
}

static pthread_barrier_t Detached;
static void *countDetached(void *Argument) {
  detached();
  pthread_barrier_wait(&Detached);
  return Argument;
}

static int countC11(void *Argument) {
  c11();
  return 7;
}

static void *forkInThread(void *Argument) {
  pid_t Child = fork();
  if (Child == 0) {
    for (int I = 0; I < 100; ++I)
      forked();
    _exit(0);
  }
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    abort();
  return Argument;
}

static void *countLast(void *Argument) {
  pthread_join(*(pthread_t *)Argument, NULL);
  for (int I = 0; I < 1000; ++I)
    last();
  exit(0);
}

static void startAndJoin(void *(*Function)(void *)) {
  pthread_t Thread;
  void *Result;
  if (pthread_create(&Thread, NULL, Function, &Thread) ||
      pthread_join(Thread, &Result) || Result != &Thread)
    abort();
}

int main(void) {
  static pthread_t Threads[8], First;
  pthread_barrier_init(&AllRun, NULL, 8);
  for (int I = 0; I < 8; ++I)
    if (pthread_create(&Threads[I], NULL, countMuch, NULL))
      return 1;
  for (int I = 0; I < 8; ++I)
    pthread_join(Threads[I], NULL);
  pthread_join(Early, NULL);

  for (int I = 0; I < 2000; ++I)
    startAndJoin(endEarly);
  pthread_barrier_init(&Detached, NULL, 2);
  for (int I = 0; I < 10; ++I) {
    pthread_t Thread;
    if (pthread_create(&Thread, NULL, countDetached, NULL))
      return 2;
    pthread_detach(Thread);
    pthread_barrier_wait(&Detached);
  }
  for (int I = 0; I < 100; ++I) {
    thrd_t Thread;
    int Value;
    if (thrd_create(&Thread, countC11, NULL) != thrd_success ||
        thrd_join(Thread, &Value) != thrd_success || Value != 7)
      return 3;
  }
  startAndJoin(forkInThread);

  // The process goes on after the first thread has ended.
  First = pthread_self();
  if (pthread_create(&Threads[0], NULL, countLast, &First))
    return 4;
  for (int I = 0; I < 1000; ++I)
    left();
  pthread_exit(NULL);
}
