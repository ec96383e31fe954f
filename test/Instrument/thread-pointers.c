// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Threads count exactly, too, if they are made through pointers in data, which the
// loader fills in before anything runs.
//
// RUN: %exact %s -o %t --flags=-pthread --builds gcc:pie,clang:no-pie,gcc:static \
// RUN:   --expect shared=16000000

#include "units.h"
#include <pthread.h>
#include <stdlib.h>

UNIT(shared, 1)

int (*Create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
              void *) = pthread_create;
static pthread_barrier_t AllRun;

static void *countMuch(void *Argument) {
  pthread_barrier_wait(&AllRun);
  for (int I = 0; I < 2000000; ++I)
    shared();
  return Argument;
}

int main(void) {
  pthread_t Threads[8];
  pthread_barrier_init(&AllRun, NULL, 8);
  for (int I = 0; I < 8; ++I)
    if (Create(&Threads[I], NULL, countMuch, NULL))
      abort();
  for (int I = 0; I < 8; ++I)
    pthread_join(Threads[I], NULL);
  return 0;
}
