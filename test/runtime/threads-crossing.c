// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A pointer to pthread_create that lies on two pages, both read-only once the
// loader has filled it in, is redirected like others.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog --threads -- -pthread -Wl,-z,relro
// RUN: %t.prog && %profile %t.prog.profile --slots | FileCheck %s
// CHECK:      counter 0 1
// CHECK-NEXT: slots 2

#include "image.h"
#include <pthread.h>
#include <stdlib.h>

typedef int (*CreateFunction)(pthread_t *, const pthread_attr_t *,
                              void *(*)(void *), void *);

struct __attribute__((packed, aligned(4096))) Crossing {
  char Before[4092];
  CreateFunction Create;
};
static const struct Crossing C = {"", pthread_create};

static void *work(void *Argument) {
  COUNT(0);
  return Argument;
}

int main(void) {
  const struct Crossing *P = &C;
  asm("" : "+r"(P)); // Or the compiler would see whom it has.
  pthread_t Thread;
  if (P->Create(&Thread, NULL, work, NULL))
    abort();
  return pthread_join(Thread, NULL);
}
