// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Threads count exactly through slots of their own, and reuse those of the dead.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.dynamic --threads -- -pthread
// RUN: %t.dynamic && %t.dynamic && %profile %t.dynamic.profile --slots > %t.sums
// RUN: FileCheck %s < %t.sums
// RUN: %runtime-build %s -o %t.now --threads -- -pthread -no-pie -Wl,-z,now
// RUN: %t.now && %t.now && %profile %t.now.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.static --threads -- -pthread -static -DSTATIC
// RUN: %t.static && %t.static && %profile %t.static.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.staticpie --threads -- -pthread -static-pie -DSTATIC
// RUN: %t.staticpie && %t.staticpie && %profile %t.staticpie.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.atomic --atomic -- -pthread
// RUN: %t.atomic && %t.atomic && %profile %t.atomic.profile | FileCheck %s -check-prefix COUNTS
//
// COUNTS:      counter 0 16000000
// COUNTS-NEXT: counter 1 4000
// COUNTS-NEXT: counter 2 200
// COUNTS-NEXT: counter 3 2
// COUNTS-NEXT: counter 4 200
// COUNTS-NEXT: site 0 16000000
//
// CHECK:      counter 0 16000000
// CHECK-NEXT: counter 1 4000
// CHECK-NEXT: counter 2 200
// CHECK-NEXT: counter 3 2
// CHECK-NEXT: counter 4 200
// CHECK-NEXT: site 0 16000000
// CHECK-NEXT: slots {{(9|10)$}}

#include "image.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#ifdef STATIC
#define STARTED                                                                \
  asm volatile("leaq -128(%%rsp), %%rsp\n\t"                                   \
               "callq graupel_rt_forked\n\t"                                   \
               "leaq 128(%%rsp), %%rsp" ::"a"(0L)                              \
               : "cc", "memory")
#define FORKED(RESULT)                                                         \
  asm volatile("leaq -128(%%rsp), %%rsp\n\t"                                   \
               "callq graupel_rt_forked\n\t"                                   \
               "leaq 128(%%rsp), %%rsp" ::"a"((long)(RESULT))                  \
               : "cc", "memory")
#else
#define STARTED
#define FORKED(RESULT)
#endif

static pthread_barrier_t AllRun;

static void *countMuch(void *Argument) {
  STARTED;
  pthread_barrier_wait(&AllRun);
  for (int I = 0; I < 1000000; ++I) {
    COUNT(0);
    COUNT_TARGET(0, countMuch);
  }
  return Argument;
}

static void *countOnce(void *Argument) {
  STARTED;
  COUNT(1);
  pthread_exit(Argument);
}

static int countC11(void *Argument) {
  STARTED;
  COUNT(2);
  return 7;
}

static void *forkInThread(void *Argument) {
  STARTED;
  pid_t Child = fork();
  FORKED(Child);
  if (Child == 0) {
    for (int I = 0; I < 100; ++I)
      COUNT(4);
    _exit(0);
  }
  int Status;
  waitpid(Child, &Status, 0);
  return Argument;
}

int main(void) {
  pthread_t Threads[8];
  void *Result;
  pthread_barrier_init(&AllRun, NULL, 8);
  for (int I = 0; I < 8; ++I)
    if (pthread_create(&Threads[I], NULL, countMuch, &Threads[I]))
      return 1;
  for (int I = 0; I < 8; ++I)
    if (pthread_join(Threads[I], &Result) || Result != &Threads[I])
      return 2;

  pthread_attr_t Small;
  pthread_attr_init(&Small);
  pthread_attr_setstacksize(&Small, 16384);
  for (int I = 0; I < 2000; ++I)
    if (pthread_create(&Threads[0], &Small, countOnce, &I) ||
        pthread_join(Threads[0], &Result) || Result != &I)
      return 3;

  for (int I = 0; I < 100; ++I) {
    thrd_t Thread;
    int Value;
    if (thrd_create(&Thread, countC11, NULL) != thrd_success ||
        thrd_join(Thread, &Value) != thrd_success || Value != 7)
      return 4;
  }

  if (pthread_create(&Threads[0], NULL, forkInThread, NULL) ||
      pthread_join(Threads[0], NULL))
    return 5;

  // Others go on after the first thread has ended.
  COUNT(3);
  if (pthread_create(&Threads[0], NULL, (void *(*)(void *))usleep, (void *)1000))
    return 6;
  pthread_exit(NULL);
}
