//===- Waiting.cpp - Tempest's calls on threads -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tempest/Tempest.h"
#include <utility>

using namespace graupel::dsm;

namespace {

int64_t count(tempest_semaphore *S) {
  return __atomic_load_n(&S->count, __ATOMIC_ACQUIRE);
}

} // namespace

void tempest_sleep(tempest_semaphore *S) {
  Node &N = *TheNode;
  if (__atomic_add_fetch(&S->count, 1, __ATOMIC_SEQ_CST) <= 0)
    return;
  Away Here(N);
  awaitUnlocked(N, false, [S] { return count(S) <= 0; });
}

void tempest_wakeup(tempest_semaphore *S) {
  if (__atomic_sub_fetch(&S->count, 1, __ATOMIC_SEQ_CST) == 0)
    TheNode->Dispatch.signal();
}

void tempest_atomic_increment(tempest_semaphore *S) {
  __atomic_add_fetch(&S->count, 1, __ATOMIC_SEQ_CST);
}

void tempest_spin(int (*Function)(void *), void *Argument) {
  Node &N = *TheNode;
  Away Here(N);
  awaitUnlocked(N, false, [=] { return Function(Argument) == 0; });
}

// The function may fault, so the thread is online and has no lock while it
// runs.
void tempest_shared_spin(int (*Function)(void *), void *Argument) {
  Node &N = *TheNode;
  while (Function(Argument) != 0) {
    Away Here(N);
    bool Once = false;
    awaitUnlocked(N, false, [&Once] { return std::exchange(Once, true); });
  }
}
