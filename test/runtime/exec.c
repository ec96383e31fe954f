// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A process that becomes the same program again takes its own slot over.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog
// RUN: %t.prog 20 && %profile %t.prog.profile --slots | FileCheck %s
// RUN: rm %t.prog.profile
// RUN: setarch -R %t.prog 20 && %profile %t.prog.profile --slots | FileCheck %s
// RUN: %runtime-build %s -o %t.gs --threads -- -pthread
// RUN: %t.gs 20 && %profile %t.gs.profile --slots | FileCheck %s -check-prefix THREADS
// CHECK:      counter 0 20
// CHECK-NEXT: slots 1
// THREADS:      counter 0 20
// THREADS-NEXT: counter 1 80
// THREADS-NEXT: slots 5

#include "image.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef IMAGE_THREADS
static pthread_barrier_t AllCounted;

static void *count(void *Argument) {
  COUNT(1);
  pthread_barrier_wait(&AllCounted);
  pause();
  return Argument;
}

static void startThreads(void) {
  pthread_t Thread;
  pthread_barrier_init(&AllCounted, NULL, 5);
  for (int I = 0; I < 4; ++I)
    pthread_create(&Thread, NULL, count, NULL);
  pthread_barrier_wait(&AllCounted);
}
#else
static void startThreads(void) {}
#endif

int main(int Count, char **Arguments) {
  COUNT(0);
  startThreads();
  int Left = atoi(Arguments[1]) - 1;
  if (Left == 0)
    return 0;
  char Number[12];
  snprintf(Number, sizeof(Number), "%d", Left);
  execl("/proc/self/exe", Arguments[0], Number, NULL);
  return 1;
}
