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

#include "Node/Error.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"

namespace graupel::dsm {

Meeting TheMeeting;

namespace {

std::atomic<uint64_t> Told[6]; // By round; 64 nodes at most.
uint64_t Barriers = 0;         // That this node has begun.
uint64_t OthersBarriers = 0;   // That another node has begun, but for the last.

void checkEnd(int Other) {
  if (TheNode->Ending && OthersBarriers > Barriers)
    fail("this node has ended, and node %d waits for it in gdsm_barrier or "
         "gdsm_parallel; every node has to make the same collective calls",
         Other);
}

void onRound(const Message &M) {
  bool AtEnd = M.Word[1];
  if (M.Word[0] == 0 && !AtEnd) {
    ++OthersBarriers;
    checkEnd(M.Source);
  }
  Told[M.Word[0]].fetch_add(1, std::memory_order_release);
}

void disseminate(Node &N, bool AtEnd) {
  if (!AtEnd)
    ++Barriers;
  uint64_t Wanted = Barriers + AtEnd;
  for (unsigned Round = 0; (1 << Round) < N.Count; ++Round) {
    N.Dispatch.lock();
    N.Dispatch.send((N.Number + (1 << Round)) % N.Count,
                    internalMessage(Internal::BarrierRound, Round, AtEnd));
    awaitUnlocked(N, true, [=] {
      return Told[Round].load(std::memory_order_acquire) >= Wanted;
    });
  }
}

} // namespace

void registerBarrierHandlers(Node &N) {
  N.Dispatch.setHandler(unsigned(Internal::BarrierRound), onRound);
}

void barrierOfNodes(Node &N) { disseminate(N, false); }

void endTogether(Node &N) {
  {
    Locked Lock(N.Dispatch);
    N.Ending = true;
    checkEnd((N.Number + N.Count - 1) % N.Count);
  }
  disseminate(N, true);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_barrier(void) {
  Node &N = nodeFor("gdsm_barrier");
  Away Here(N);
  meet(N, [&N] { barrierOfNodes(N); });
}
