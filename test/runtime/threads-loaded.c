// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// Threads made by libraries that were loaded later count exactly too.
//
// RUN: rm -f %t.*
// RUN: gcc -DLIBRARY -fPIC -shared %s -o %t.so -pthread
// RUN: %runtime-build %s -o %t.prog --threads -- -pthread
// RUN: %t.prog %t.so && %profile %t.prog.profile --slots | FileCheck %s
// CHECK:      counter 0 8000000
// CHECK-NEXT: slots 9

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#ifdef LIBRARY
int start(pthread_t *Thread, void *(*Function)(void *)) {
  return pthread_create(Thread, 0, Function, 0);
}
#else
#include "image.h"
#include <stddef.h>

static pthread_barrier_t AllRun;

static void *count(void *Argument) {
  pthread_barrier_wait(&AllRun);
  for (int I = 0; I < 1000000; ++I)
    COUNT(0);
  return Argument;
}

typedef int Create(pthread_t *, const void *, void *(*)(void *), void *);

int main(int Count, char **Arguments) {
  void *Library = dlopen(Arguments[1], RTLD_NOW);
  int (*Start)(pthread_t *, void *(*)(void *)) = dlsym(Library, "start");
  Create *Found = (Create *)dlsym(RTLD_DEFAULT, "pthread_create");
  Create *Old =
      (Create *)dlvsym(RTLD_DEFAULT, "pthread_create", "GLIBC_2.2.5");
  pthread_t Threads[8];
  pthread_barrier_init(&AllRun, NULL, 8);
  for (int I = 0; I < 8; ++I)
    if (I < 4 ? Start(&Threads[I], count)
              : (I < 6 || !Old ? Found : Old)(&Threads[I], NULL, count, NULL))
      return 1;
  for (int I = 0; I < 8; ++I)
    pthread_join(Threads[I], NULL);
  return 0;
}
#endif
