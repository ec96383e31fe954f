//===- Counters.cpp - Fetch-and-add by number -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sync/AtHome.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <unordered_map>

namespace graupel::dsm {

namespace {

std::unordered_map<gdsm_lock_t, int64_t> *Values = nullptr; // At home here.

struct Answer {
  std::atomic<bool> Here{false};
  int64_t Before = 0;
};

int64_t add(gdsm_lock_t Counter, int64_t Value) {
  int64_t &Now = (*Values)[Counter];
  int64_t Before = Now;
  Now = static_cast<int64_t>(static_cast<uint64_t>(Now) +
                             static_cast<uint64_t>(Value));
  return Before;
}

void onAdd(const Message &M) {
  int64_t Before = add(M.Word[0], static_cast<int64_t>(M.Word[1]));
  TheNode->Dispatch.send(
      M.Source, internalMessage(Internal::CounterValue, M.Word[2], Before));
}

void onValue(const Message &M) {
  auto *A = reinterpret_cast<Answer *>(M.Word[0]);
  A->Before = static_cast<int64_t>(M.Word[1]);
  A->Here.store(true, std::memory_order_release);
  TheNode->Dispatch.signal();
}

} // namespace

void registerCounterHandlers(Node &N) {
  Values = new std::unordered_map<gdsm_lock_t, int64_t>;
  N.Dispatch.setHandler(unsigned(Internal::CounterAdd), onAdd);
  N.Dispatch.setHandler(unsigned(Internal::CounterValue), onValue);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

int64_t gdsm_fetch_add(gdsm_lock_t Counter, int64_t Value) {
  Node &N = nodeFor("gdsm_fetch_add");
  Away Here(N, WaitNote::Other, "gdsm_fetch_add", __builtin_return_address(0));
  int Home = homeOf(N, Counter);
  if (Home == N.Number) {
    Locked Lock(N.Dispatch);
    return add(Counter, Value);
  }
  Answer A;
  N.Dispatch.lock();
  N.Dispatch.send(Home, internalMessage(Internal::CounterAdd, Counter, Value,
                                        reinterpret_cast<uintptr_t>(&A)));
  awaitUnlocked(N, true,
                [&A] { return A.Here.load(std::memory_order_acquire); });
  return A.Before;
}
