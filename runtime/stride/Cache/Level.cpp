//===- Cache/Level.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Level.h"
#include <algorithm>
#include <bit>

namespace graupel::stride {

Level::Level(const CacheLevelRecord &L)
    : Lines(static_cast<uint32_t>(L.Bytes / L.LineBytes), L.Ways, L.Policy),
      Shift(std::countr_zero(L.LineBytes)),
      SampleMask((uint64_t(1) << L.SampleShift) - 1) {
  uint32_t Count = Lines.lines();
  if (L.Ways != Count || L.Policy != Replacement::LRU)
    Ideal =
        make<Recency>(std::max(Count >> L.SampleShift, 1u), Replacement::LRU);
}

/// The line is the ideal cache's latest. Whether it was there.
bool Level::use(uint64_t Block) {
  uint32_t Node = Ideal->find(Block);
  if (Node != Recency::None) {
    Ideal->touch(Node);
    return true;
  }
  Ideal->put(Ideal->victim(), Block);
  return false;
}

/// Why a line is not there.
Miss Level::classify(uint64_t Block) {
  Miss Result{MissClass::Capacity, NoNumber};
  if (Ideal) {
    if (!isSampled(Block))
      Result.Class = MissClass::Unknown;
    else if (use(Block))
      Result = {MissClass::Conflict, Before.evictor(Block)};
  }
  if (Before.enter(Block))
    Result = {MissClass::Compulsory, NoNumber};
  return Result;
}

bool Level::refer(uint64_t Address, uint32_t Bytes, uint32_t Object,
                  Miss &Why) {
  bool Missed = false;
  for (uint64_t Block = Address >> Shift, Last = (Address + Bytes - 1) >> Shift;
       Block <= Last; ++Block) {
    uint32_t Slot = Lines.find(Block);
    if (Slot != Sets::None) {
      Lines.touch(Slot);
      if (Ideal && isSampled(Block))
        use(Block);
      continue;
    }
    Miss Each = classify(Block);
    if (!Missed)
      Why = Each;
    Missed = true;
    Slot = Lines.victim(Block);
    // Evictors of other lines are never asked for.
    if (uint64_t Old = Lines.blockAt(Slot);
        Ideal && Old != Sets::NoBlock && isSampled(Old))
      Before.setEvictor(Old, Object);
    Lines.put(Slot, Block);
  }
  return Missed;
}

} // namespace graupel::stride
