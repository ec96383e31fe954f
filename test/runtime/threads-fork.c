// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Threads that start threads and fork at the same time, also in the children.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog --threads -- -pthread
// RUN: %t.prog && %t.prog && %profile %t.prog.profile | FileCheck %s
//
// 2 runs of 4 threads of 50 rounds.
// CHECK:      counter 0 800000
// CHECK-NEXT: counter 1 400000
// CHECK-NEXT: counter 2 400000

#include "image.h"
#include <pthread.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <unistd.h>

static void *countInThread(void *Argument) {
  for (int I = 0; I < 1000; ++I)
    COUNT(0);
  return Argument;
}

static void startThread(void) {
  pthread_t Thread;
  if (pthread_create(&Thread, NULL, countInThread, NULL) ||
      pthread_join(Thread, NULL))
    abort();
}

static void *work(void *Argument) {
  for (int Round = 0; Round < 50; ++Round) {
    pid_t Child = fork();
    if (Child == 0) {
      for (int I = 0; I < 1000; ++I)
        COUNT(1);
      startThread();
      _exit(0);
    }
    startThread();
    for (int I = 0; I < 1000; ++I)
      COUNT(2);
    int Status;
    if (waitpid(Child, &Status, 0) != Child || Status)
      abort();
  }
  return Argument;
}

int main(void) {
  pthread_t Threads[4];
  for (int I = 0; I < 4; ++I)
    if (pthread_create(&Threads[I], NULL, work, NULL))
      return 1;
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], NULL);
  return 0;
}
