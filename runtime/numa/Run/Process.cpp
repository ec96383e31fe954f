//===- numa/Run/Process.cpp - The program begins, and its threads ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Policies.h"
#include "Replicas.h"
#include "Sites.h"
#include <atomic>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <unistd.h>

using namespace graupel::numa;

namespace {

/// Threads in the order in which the program creates them; 0 is the first.
std::atomic<unsigned> Threads{1};
pid_t Owner;

struct Start {
  void *(*Function)(void *);
  void *Argument;
  unsigned Number;
};

void *begin(void *Argument) {
  Start S = *static_cast<Start *>(Argument);
  delete static_cast<Start *>(Argument);
  placeThread(S.Number);
  readNearCopies();
  return S.Function(S.Argument);
}

__attribute__((constructor)) void beginProgram() {
  Owner = getpid();
  applyPlacement();
  placeThread(0);
  if (wantsCopies())
    startCopying();
  readNearCopies();
  // Handlers run in reverse order before a fork: arenas, which lock ranges, and
  // the readers of copies are locked first.
  ranges();
  watchForks();
  pthread_atfork(lockArenas, unlockArenas, unlockArenas);
  pthread_atfork(lockReaders, unlockReaders, unlockReaders);
}

/// A child that ends without another program has its parent's memory; nobody
/// wants to read of it twice.
__attribute__((destructor)) void endProgram() {
  if (getpid() == Owner)
    reportPlacement();
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
               void *(*Function)(void *), void *Argument) {
  using Create =
      int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static auto *const Real =
      reinterpret_cast<Create *>(dlsym(RTLD_NEXT, "pthread_create"));
  auto *S = new (std::nothrow) Start{Function, Argument, Threads++};
  if (!S)
    return (*Real)(Thread, Attributes, Function, Argument);
  int Error = (*Real)(Thread, Attributes, begin, S);
  if (Error)
    delete S;
  return Error;
}
