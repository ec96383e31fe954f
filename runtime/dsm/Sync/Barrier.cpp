//===- Barrier.cpp - All threads of the job meet ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dissemination: in round r a node tells the one 2^r behind it that it has
// come, and waits to be told by the one 2^r before it; after log2(nodes) rounds
// it knows of all. Messages may be early by one barrier, so they are counted.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Pins.h"
#include "Sync/Sync.h"
#include "Trace/Trace.h"
#include "graupel/dsm.h"

namespace graupel::dsm {

namespace {

std::atomic<uint64_t> Told[6]; // By round; 64 nodes at most.

void onRound(const Message &M) {
  compareCollective(M.Source, M.Word[1], CollectiveCall(M.Word[2], M.Word[3]));
  Told[M.Word[0]].fetch_add(1, std::memory_order_release);
  TheNode->Dispatch.signal(TheMeeting.Outside);
}

} // namespace

void registerBarrierHandlers(Node &N) {
  N.Dispatch.setHandler(unsigned(Internal::BarrierRound), onRound);
}

void barrierOfNodes(Node &N, const CollectiveCall &Call) {
  CollectiveNumber Number = {};
  for (unsigned Round = 0; (1 << Round) < N.Count; ++Round) {
    N.Dispatch.lock();
    if (Round == 0)
      Number = beginCollective(N, Call);
    N.Dispatch.send((N.Number + (1 << Round)) % N.Count,
                    internalMessage(Internal::BarrierRound, Round, Number.OfAll,
                                    Call.word(), Call.Pc));
    awaitUnlocked(N, true, [=] {
      return Told[Round].load(std::memory_order_acquire) >= Number.OfKind;
    });
  }
  trace::passedBarrier(Call.Kind == Collective::ParallelBegin);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_barrier(void) {
  Node &N = nodeFor("gdsm_barrier");
  requireNoPins("gdsm_barrier");
  CollectiveCall Call(Collective::Barrier, __builtin_return_address(0));
  InCollective Here(N, Call);
  meet(N, Call, [&] { barrierOfNodes(N, Call); });
}
