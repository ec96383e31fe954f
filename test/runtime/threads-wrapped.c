// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Threads have slots, too, if the program has a pthread_create of its own that
// calls the C library's. So have those of libraries, which call the program's.
//
// RUN: rm -f %t.*
// RUN: gcc -O2 -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: %runtime-build %s -o %t.prog --threads -- -pthread %t.so
// RUN: %t.prog && %profile %t.prog.profile --slots | FileCheck %s
// CHECK:      counter 0 8000000
// CHECK-NEXT: slots 9
//
// A wrapper that is loaded before the C library.
// RUN: gcc -O2 -DWRAPPER -shared -fPIC %s -o %t.wrapper.so
// RUN: %runtime-build %s -o %t.plain --threads -- -DPLAIN -pthread %t.so
// RUN: env LD_PRELOAD=%t.wrapper.so %t.plain && %profile %t.plain.profile --slots | FileCheck %s

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void *ThreadFunction(void *);
int createElsewhere(pthread_t *Thread, ThreadFunction *Function);

#if defined(LIBRARY)
int createElsewhere(pthread_t *Thread, ThreadFunction *Function) {
  return pthread_create(Thread, NULL, Function, NULL);
}
#else

#if !defined(PLAIN)
typedef int CreateFunction(pthread_t *, const pthread_attr_t *,
                           ThreadFunction *, void *);

int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
                   ThreadFunction *Function, void *Argument) {
  CreateFunction *Next = (CreateFunction *)dlsym(RTLD_NEXT, "pthread_create");
  return Next(Thread, Attributes, Function, Argument);
}
#endif

#if !defined(WRAPPER)
#include "image.h"

static pthread_barrier_t AllRun;

static void *countMuch(void *Argument) {
  pthread_barrier_wait(&AllRun);
  for (int I = 0; I < 1000000; ++I)
    COUNT(0);
  return Argument;
}

int main(void) {
  pthread_t Threads[8];
  pthread_barrier_init(&AllRun, NULL, 8);
  for (int I = 0; I < 8; ++I)
    if (I % 2 ? createElsewhere(&Threads[I], countMuch)
              : pthread_create(&Threads[I], NULL, countMuch, NULL))
      abort();
  for (int I = 0; I < 8; ++I)
    pthread_join(Threads[I], NULL);
  return 0;
}
#endif
#endif
