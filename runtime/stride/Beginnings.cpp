//===- stride/Beginnings.cpp - Threads begin ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread has referred to before it makes another one is counted before
// what that one refers to: whoever asks which of them came first is told right.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <dlfcn.h>
#include <pthread.h>

using namespace graupel::stride;

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
               void *(*Start)(void *), void *Argument) {
  static auto *Real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, __func__));
  beforeThread();
  return Real(Thread, Attributes, Start, Argument);
}
