//===- Cache/Nearest.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first level of caches, and the ideal cache that tells why it misses. Both
// use one log, as Nearest.h says.
//
// 1. A hit writes an entry into the log. If the ideal cache has dropped the
//    line, idealize makes it the latest line there. A full ideal cache drops a
//    line or ghost first: dropOldest goes through the log from its oldest
//    entry.
// 2. findInLarge finds a line by an index, or one by one in its set.
// 3. classify names the reason of a miss: compulsory if the line comes for the
//    first time, a conflict if the ideal cache has its ghost, else capacity. A
//    known line that is not sampled is unknown. Without a ghost, a full ideal
//    cache drops its oldest.
// 4. victim chooses an empty line, the oldest of the set, or a random one.
// 5. put notes the object whose line evicts the old one. The old line becomes
//    a ghost if the ideal cache has it (haunt). The new line gets the latest
//    entry.
// 6. compact, when the log is full, gives new entries to all lines and ghosts
//    that are not older than the ideal cache's oldest, in their order. The rest
//    stays older.
//
//===----------------------------------------------------------------------===//

#include "Nearest.h"
#include <algorithm>

namespace graupel::stride {

/// More ways are not searched one by one.
static constexpr uint32_t MostSearched = 32;
static constexpr uint64_t LeastLog = 8192;

template <class T> static T *room(uint64_t Count) {
  return static_cast<T *>(allocate(Count * sizeof(T)));
}

Nearest::Nearest(const CacheLevelRecord &L)
    : Count(static_cast<uint32_t>(L.Bytes / L.LineBytes)), Ways(L.Ways),
      SetCount(Count / Ways), SampleShift(L.SampleShift),
      IdealMost(std::max(Count >> SampleShift, 1u)),
      Mask(std::bit_floor(SetCount) - 1), Policy(L.Policy),
      Lines(room<NearLine>(Count)),
      LogMask(std::bit_ceil(4 * uint64_t(Count) + LeastLog) - 1),
      LogEnd(LogMask - 2 * uint64_t(Count)), Log(room<uint32_t>(LogMask + 1)),
      Times(room<uint64_t>(2 * uint64_t(Count))),
      Sorted(room<Entry>(2 * uint64_t(Count))), Ghosts(room<Ghost>(Count)),
      GhostIndex(Count) {
  if (SetCount == 1 && Ways > MostSearched)
    Index = make<BlockIndex>(Count);
  else if (Ways <= Hints::MostWays)
    Few = make<Hints>(Count, Ways);
}

//===--- The ideal cache --------------------------------------------------===//

/// A line of the level that the ideal cache does not have becomes its latest.
__attribute__((noinline)) void Nearest::idealize(NearLine &L) {
  if (IdealCount == IdealMost)
    dropOldest();
  L.IsIdeal = 1;
  L.IsMissing = 0;
  ++IdealCount;
}

void Nearest::dropOldest() {
  for (;; ++Oldest) {
    const uint32_t Number = Log[Oldest & LogMask];
    if (Times[Number] != Oldest)
      continue;
    if (Number >= Count)
      return lay(Number - Count);
    NearLine &L = Lines[Number];
    if (!L.IsIdeal)
      continue;
    L.IsIdeal = 0;
    L.IsMissing = 1;
    --IdealCount;
    Dropped = Number;
    ++Oldest;
    return;
  }
}

/// A line leaves the level, and stays in the ideal cache, at its time.
void Nearest::haunt(NearLine &L) {
  const uint32_t Number = FreeGhost ? FreeGhost - 1 : GhostCount++;
  if (FreeGhost)
    FreeGhost = Ghosts[Number].NextFree;
  Ghosts[Number] = {L.Tag - 1, 0};
  GhostIndex.insert(L.Tag - 1, Number);
  const uint64_t Time = Times[L.Number];
  Times[Number + Count] = Time;
  Log[Time & LogMask] = Number + Count;
}

/// A ghost is there no more.
void Nearest::lay(uint32_t Number) {
  Ghost &G = Ghosts[Number];
  GhostIndex.remove(G.Block);
  Times[Number + Count] = 0;
  G.NextFree = FreeGhost;
  FreeGhost = Number + 1;
  --IdealCount;
}

// The log is full. Lines that are not older than the ideal cache's oldest get
// new entries, in their order. The rest stays older.
__attribute__((noinline)) void Nearest::compact() {
  uint32_t Valid = 0;
  for (uint32_t Number = 0; Number < Count + GhostCount; ++Number)
    if (Times[Number] >= Oldest)
      Sorted[Valid++] = {Times[Number], Number};
  std::sort(Sorted, Sorted + Valid,
            [](const Entry &A, const Entry &B) { return A.Time < B.Time; });
  Oldest = Now;
  for (uint32_t N = 0; N < Valid; ++N) {
    Times[Sorted[N].Number] = Now;
    Log[Now++ & LogMask] = Sorted[N].Number;
  }
  // With room to do this again.
  LogEnd = Oldest + LogMask - 2 * uint64_t(Count);
}

//===--- Lines ------------------------------------------------------------===//

NearLine *Nearest::findInLarge(uint64_t Block) const {
  if (Index) {
    const uint32_t Number = Index->find(Block);
    return Number == BlockIndex::None ? nullptr : Lines + Number;
  }
  NearLine *First = Lines + setOf(Block) * Ways;
  for (NearLine *L = First; L < First + Ways; ++L)
    if (L->Tag == Block + 1)
      return L;
  return nullptr;
}

Miss Nearest::classify(uint64_t Block) {
  Miss Result{MissClass::Capacity, NoNumber};
  const bool IsKnown = !Before.enter(Block);
  if (!isSampledLine(Block, SampleShift)) {
    Result.Class = IsKnown ? MissClass::Unknown : MissClass::Compulsory;
    return Result;
  }
  const uint32_t Number = IsKnown ? GhostIndex.find(Block) : BlockIndex::None;
  if (Number != BlockIndex::None) {
    Result = {MissClass::Conflict, Before.evictor(Block)};
    lay(Number);
  } else if (IdealCount == IdealMost) {
    dropOldest();
  }
  if (!IsKnown)
    Result.Class = MissClass::Compulsory;
  return Result;
}

NearLine &Nearest::victim(uint64_t Block) {
  if (Index) {
    if (Used < Count)
      return Lines[Used];
    // With LRU the level is the ideal cache.
    return Lines[Policy == Replacement::LRU ? Dropped : Chance.below(Count)];
  }
  const uint64_t First = setOf(Block) * Ways;
  // Empty lines have no time.
  uint64_t Oldest = First, Least = Times[First];
  for (uint64_t N = First + 1, End = First + Ways; N < End; ++N)
    if (const uint64_t Time = Times[N]; Time < Least) {
      Oldest = N;
      Least = Time;
    }
  if (Policy == Replacement::Random && Least)
    Oldest = First + Chance.below(Ways);
  return Lines[Oldest];
}

void Nearest::put(NearLine &L, uint64_t Block, uint32_t Object) {
  const auto Number = static_cast<uint32_t>(&L - Lines);
  if (L.Tag) {
    // Evictors of other lines are never asked for.
    if (L.IsIdeal | L.IsMissing)
      Before.setEvictor(L.Tag - 1, Object);
    if (L.IsIdeal)
      haunt(L);
    if (Index)
      Index->remove(L.Tag - 1);
  } else {
    ++Used;
  }
  if (Index)
    Index->insert(Block, Number);
  if (Few)
    Few->put(Number, Block);
  const bool IsSampled = isSampledLine(Block, SampleShift);
  L = {Block + 1, 0, 0, nullptr, Number, 0, IsSampled, 0};
  IdealCount += IsSampled;
  note(L);
  if (isLogFull())
    compact();
}

} // namespace graupel::stride
