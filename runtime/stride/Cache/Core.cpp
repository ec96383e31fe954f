//===- Cache/Core.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include <algorithm>
#include <bit>

namespace graupel::stride {

/// References after which other threads are told of.
static constexpr uint64_t MostUntold = 1024;

Core::Core(Caches &All, uint32_t Thread, const SiteFacts *Facts,
           uint32_t MaxSites, Owners &Of)
    : Shift(std::countr_zero(All.Spec.Levels[0].LineBytes)),
      PartShift(Shift > 6 ? Shift - 6 : 0),
      LineMask((uint64_t(1) << Shift) - 1),
      Sites(static_cast<SiteState *>(reserve(MaxSites * sizeof(SiteState)))),
      First(All.Spec.Levels[0]),
      Lines(static_cast<Line *>(allocate(First.Lines.lines() * sizeof(Line)))),
      HasTlb(All.Spec.TlbEntries != 0),
      PageShift(HasTlb ? std::countr_zero(All.Spec.PageBytes) : 0),
      Tlb(HasTlb ? All.Spec.TlbEntries : 1, HasTlb ? All.Spec.TlbWays : 1,
          Replacement::LRU),
      All(All), Facts(Facts), Of(Of), Thread(Thread), Pairs(All.File),
      Distances(All.Spec.ReuseShift) {
  for (unsigned N = 1; N < All.Spec.LevelCount; ++N)
    if (!All.Spec.Levels[N].Shared)
      Below[N] = make<Level>(All.Spec.Levels[N]);
  All.enter(this);
}

void Core::learn(SiteState &S, uint32_t Site) {
  uint32_t Bytes = std::max(Facts[Site].Bytes, 1u);
  S.Parts = Bytes >= 64 ? ~uint64_t(0) : (uint64_t(1) << Bytes) - 1;
  S.Reach = Bytes - 1;
  S.Stores = Facts[Site].Store;
}

/// The counters of a site and the object at an address.
CacheCounts &Core::countsOf(SiteState &S, uint32_t Site, uint64_t Address) {
  if (Address - S.Begin < S.Bytes)
    return *S.Counts;
  Owners::Owner O = Of.find(Site, Address);
  uint64_t Key = uint64_t(Site) << 32 | O.Object;
  CacheCounts *C = O.Object == NoNumber ? &Nowhere : Known.find(Key);
  if (!C) {
    C = static_cast<CacheCounts *>(All.File.append(
        static_cast<ChunkKind>(CacheChunk::Counts), sizeof(CacheCounts), true));
    if (C) {
      C->Site = Site;
      C->Object = O.Object;
      C->Thread = Thread;
      All.File.commit(C);
      Known.insert(Key, C);
    }
  }
  S.Begin = O.Begin;
  S.Bytes = C ? O.Bytes : 0;
  S.Counts = C ? C : &Nowhere;
  return *S.Counts;
}

//===--- The first level --------------------------------------------------===//

void Core::countUse(const Line &L) {
  if (!L.Bringer)
    return;
  ++L.Bringer->LinesLeft;
  L.Bringer->PartsUsed += std::popcount(L.Used);
}

/// A line goes.
void Core::leave(const Line &L, uint64_t Block) {
  countUse(L);
  if (L.Since.count())
    All.share([&](Sharing &Others) {
      Others.add(Thread, Block << Shift, L.Since, now(), Of);
    });
}

void Core::bring(SiteState &S, uint64_t Block, CacheCounts &For, Miss &Why) {
  Why = First.classify(Block);
  uint32_t Slot = First.Lines.victim(Block);
  Line &L = Lines[Slot];
  if (uint64_t Old = First.Lines.blockAt(Slot); Old != Sets::NoBlock) {
    leave(L, Old);
    First.evicted(Old, For.Object);
  }
  First.Lines.put(Slot, Block);
  L = {0, &For, Recency::None, 0, {}};
  if (Distances.isSampled(Block)) {
    L.Reused = Distances.numberOf(Block);
    if (!L.Reused) {
      L.Reused = Distances.add(Block);
      ++For.FirstUses;
    } else
      ++For.Reuse[Reuse::bin(Distances.distance(L.Reused))];
  }
  S.Slot = Slot;
}

/// The line's parts from one byte to another.
uint64_t Core::partsBetween(uint64_t From, uint64_t To) const {
  uint64_t Low = (From & LineMask) >> PartShift;
  uint64_t High = (To & LineMask) >> PartShift;
  return (~uint64_t(0) >> (63 - (High - Low))) << Low;
}

// A miss, or several lines, or a site's first reference.
__attribute__((noinline)) void Core::referSlowly(uint32_t Site,
                                                 uint64_t Address) {
  SiteState &S = Sites[Site];
  learn(S, Site);
  Miss Why{}, Each{};
  CacheCounts *C = nullptr;
  const uint64_t End = Address + S.Reach;
  for (uint64_t Block = Address >> Shift; Block <= End >> Shift; ++Block) {
    S.Slot = First.Lines.find(Block);
    if (S.Slot == Sets::None) {
      bring(S, Block, countsOf(S, Site, Address), Each);
      if (!C)
        Why = Each;
      C = S.Counts;
    } else {
      First.Lines.touch(S.Slot);
      First.found(Block, Lines[S.Slot].Node);
      if (Lines[S.Slot].Reused)
        countReuse(S, Site, Address, Lines[S.Slot]);
    }
    uint64_t Parts = partsBetween(std::max(Address, Block << Shift),
                                  std::min(End, (Block << Shift) | LineMask));
    Lines[S.Slot].Used |= Parts;
    if (Watched)
      watch(S, Site, Parts, 1);
  }
  if (C) {
    ++MissCount;
    countMiss(C->Levels[0], Why.Class);
    if (Why.Class == MissClass::Conflict)
      Pairs.count(0, C->Object, Why.Evictor);
    referBelow(Address, S.Reach + 1, *C);
  }
  if (HasTlb)
    lookUp(S, Site, Address);
}

void Core::referBelow(uint64_t Address, uint32_t Bytes, CacheCounts &To) {
  Miss Why{};
  for (unsigned N = 1; N < All.Spec.LevelCount; ++N) {
    if (Below[N]) {
      if (!Below[N]->refer(Address, Bytes, To.Object, Why))
        return;
      if (Why.Class == MissClass::Conflict)
        Pairs.count(N, To.Object, Why.Evictor);
    } else if (!All.refer(N, Address, Bytes, To, Why)) {
      return;
    }
    countMiss(To.Levels[N], Why.Class);
  }
}

void Core::again(uint32_t Site, uint64_t Address, int64_t Step,
                 uint64_t Count) {
  SiteState &S = Sites[Site];
  Line &L = Lines[S.Slot];
  uint64_t Parts = 0, Last = Address + (Count - 1) * uint64_t(Step);
  if (uint64_t(Step < 0 ? -Step : Step) <= S.Reach + 1)
    Parts = partsBetween(std::min(Address, Last),
                         std::max(Address, Last) + S.Reach);
  else
    for (uint64_t N = 0, Each = Address; N < Count; ++N, Each += Step)
      Parts |= partsOf(S, Each);
  L.Used |= Parts;
  if (L.Reused)
    countReuse(S, Site, Address, L, Count);
  if (Watched)
    watch(S, Site, Parts, Count);
}

//===--- Pages and reuse --------------------------------------------------===//

// Of a reference to two pages one miss counts.
__attribute__((noinline)) void Core::lookUp(SiteState &S, uint32_t Site,
                                            uint64_t Address) {
  bool Missed = false;
  const uint64_t Last = (Address + S.Reach) >> PageShift;
  for (uint64_t Page = Address >> PageShift; Page <= Last; ++Page) {
    S.Page = Tlb.find(Page);
    if (S.Page != Sets::None) {
      Tlb.touch(S.Page);
      continue;
    }
    S.Page = Tlb.victim(Page);
    Tlb.put(S.Page, Page);
    Missed = true;
  }
  LatestPage = Last;
  if (Missed)
    ++countsOf(S, Site, Address).TlbMisses;
}

__attribute__((noinline)) void Core::countReuse(SiteState &S, uint32_t Site,
                                                uint64_t Address, Line &L,
                                                uint64_t Times) {
  unsigned Bin = Reuse::bin(Distances.distance(L.Reused));
  countsOf(S, Site, Address).Reuse[Bin] += Times;
}

//===--- Sharing ----------------------------------------------------------===//

void Core::begin(uint64_t BeginTime, uint64_t EndTime, const uint64_t *FromWord,
                 const uint64_t *ToWord) {
  Watched = All.hasSeveral();
  Begin = ToldAt = BeginTime;
  End = EndTime;
  From = At = FromWord;
  To = ToWord;
}

void Core::end() {
  At = To;
  if (Watched)
    tell();
}

Sharing::When Core::now() const {
  uint64_t Part =
      To > From ? (End - Begin) * uint64_t(At - From) / uint64_t(To - From) : 0;
  return {ToldAt, Begin + Part, References};
}

__attribute__((noinline)) void Core::watch(const SiteState &S, uint32_t Site,
                                           uint64_t Parts, uint64_t Times) {
  Visit &V = Lines[S.Slot].Since;
  if (!V.count())
    Visited.push(S.Slot);
  auto Count = static_cast<uint32_t>(Times);
  if (S.Stores) {
    V.Stores += Count;
    V.Written |= Parts;
    V.WriteSite = Site;
  } else {
    V.Loads += Count;
    V.Read |= Parts;
    V.ReadSite = Site;
  }
  References += Times;
  Untold += Times;
  if (Untold >= MostUntold)
    tell();
}

void Core::tell() {
  const Sharing::When T = now();
  All.share([&](Sharing &Others) {
    for (uint32_t Slot : Visited) {
      Visit &V = Lines[Slot].Since;
      if (V.count())
        Others.add(Thread, First.Lines.blockAt(Slot) << Shift, V, T, Of);
      V = {};
    }
  });
  Visited.clear();
  Untold = 0;
  ToldAt = T.End;
}

//===--- The end ----------------------------------------------------------===//

void Core::finish() {
  for (uint32_t Slot = 0; Slot < First.Lines.lines(); ++Slot) {
    Line &L = Lines[Slot];
    if (First.Lines.blockAt(Slot) != Sets::NoBlock)
      countUse(L);
    L.Bringer = nullptr;
  }
}

} // namespace graupel::stride
