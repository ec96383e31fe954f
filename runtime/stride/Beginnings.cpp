//===- stride/Beginnings.cpp - Threads begin ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads get numbers in the order in which they are made. References that a
// thread has made before it creates another one are counted before those of
// the new thread, so that their order in the record is right.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "ThreadNumber.h"
#include <dlfcn.h>
#include <pthread.h>

using namespace graupel::stride;

namespace {

std::atomic<uint32_t> Created{1};

/// The arguments of a new thread. The runtime's memory is never freed, so a
/// few slots are reused.
struct Start {
  std::atomic<bool> Taken;
  void *(*Function)(void *);
  void *Argument;
  uint32_t Number;
};
Start Starts[256];

Start *freeStart() {
  for (Start &S : Starts)
    if (!S.Taken.load(std::memory_order_relaxed) &&
        !S.Taken.exchange(true, std::memory_order_acquire))
      return &S;
  return nullptr;
}

void *begin(void *Argument) {
  auto *S = static_cast<Start *>(Argument);
  auto *Function = S->Function;
  Argument = S->Argument;
  setCreationNumber(S->Number);
  S->Taken.store(false, std::memory_order_release);
  return Function(Argument);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
               void *(*Function)(void *), void *Argument) {
  static auto *Real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, __func__));
  beforeThread();
  const uint32_t Number = Created++;
  Start *S = freeStart();
  if (!S)
    return Real(Thread, Attributes, Function, Argument);
  S->Function = Function;
  S->Argument = Argument;
  S->Number = Number;
  int Error = Real(Thread, Attributes, begin, S);
  if (Error)
    S->Taken = false;
  return Error;
}
