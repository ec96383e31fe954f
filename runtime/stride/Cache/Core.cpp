//===- Cache/Core.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates one thread's caches, reference by reference.
//
// 1. learn notes a site's size and kind at its first reference. countsOf finds
//    the counters of a site and an object, or makes them in the record.
// 2. referToLine handles a reference within one line. A hit notes the use, the
//    bytes that are used and the reuse distance. referSlowly handles a
//    reference to several lines, and a site's first.
// 3. miss asks why the line is not there, has another line leave, and puts the
//    new one in its place (bring). It counts the miss and refers to the levels
//    below (referBelow).
// 4. again counts references that hit the same line and change no order.
// 5. lookUp asks the TLB for the pages of a reference.
// 6. watch collects the references to a line while there are several threads.
//    tell hands them to Sharing after 1024 references and at the end of a
//    buffer; leave does so for a line that goes. finish counts how much of the
//    last lines was used.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include <algorithm>
#include <bit>

namespace graupel::stride {

/// References after which other threads are told of.
static constexpr uint64_t MostUntold = 1024;

Core::Core(Caches &All, uint32_t Thread, const SiteFacts *Facts,
           uint32_t MaxSites, Owners &AddressOwners)
    : Shift(std::countr_zero(All.Spec.Levels[0].LineBytes)),
      PartShift(Shift > 6 ? Shift - 6 : 0), DetailShift(All.Spec.DetailShift),
      LineMask((uint64_t(1) << Shift) - 1),
      Sites(static_cast<SiteState *>(reserve(MaxSites * sizeof(SiteState)))),
      Rooms(static_cast<uint16_t *>(reserve(MaxSites * sizeof(uint16_t)))),
      First(All.Spec.Levels[0]),
      PageShift(All.Spec.TlbEntries ? std::countr_zero(All.Spec.PageBytes)
                                    : 63),
      Pages(All.Spec.TlbEntries, All.Spec.TlbWays), All(All), Facts(Facts),
      AddressOwners(AddressOwners), Thread(Thread), Pairs(All.File),
      Distances(All.Spec.ReuseShift),
      Visits(static_cast<Visit *>(
          allocate((First.end() - First.begin()) * sizeof(Visit)))) {
  for (unsigned N = 1; N < All.Spec.LevelCount; ++N)
    if (!All.Spec.Levels[N].Shared)
      Below[N] = make<Level>(All.Spec.Levels[N]);
  std::fill(std::begin(Recent), std::end(Recent), First.begin());
  CanPass = First.sets();
  SetMask = CanPass ? First.sets() - 1 : 0;
  LatestOfSet =
      static_cast<uint64_t *>(allocate((SetMask + 1) * sizeof(uint64_t)));
  std::fill_n(LatestOfSet, SetMask + 1, None);
  All.enter(this);
}

void Core::learn(SiteState &S, uint32_t Site) {
  uint32_t Bytes = std::max(Facts[Site].Bytes, 1u);
  S.Parts = Bytes >= 64 ? ~uint64_t(0) : (uint64_t(1) << Bytes) - 1;
  S.Reach = Bytes - 1;
  Rooms[Site] =
      Bytes > LineMask + 1 ? 0 : static_cast<uint16_t>(LineMask + 2 - Bytes);
  S.IsKnown = 1;
  S.Stores = Facts[Site].Store;
  Learnt.push(Site);
}

void Core::forgetOwners() {
  for (uint32_t Site : Learnt)
    Sites[Site].Bytes = 0;
}

/// The counters of a site and the object at an address.
CacheCounts &Core::countsOf(SiteState &S, uint32_t Site, uint64_t Address) {
  if (Address - S.Begin < S.Bytes)
    return *S.Counts;
  Owners::Owner O = AddressOwners.find(Site, Address);
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

void Core::countUse(const NearLine &L) {
  if (!L.Bringer)
    return;
  ++L.Bringer->LinesLeft;
  L.Bringer->PartsUsed += std::popcount(L.Used);
}

/// A line goes.
void Core::leave(NearLine &L) {
  countUse(L);
  Visit &V = Visits[L.Number];
  if (!V.count())
    return;
  All.share([&](Sharing &Others) {
    Others.add(Thread, (L.Tag - 1) << Shift, V, now(), AddressOwners);
  });
  V = {};
}

NearLine &Core::bring(uint64_t Block, CacheCounts &For, Miss &Why) {
  Why = First.classify(Block);
  NearLine &L = First.victim(Block);
  if (L.Tag)
    leave(L);
  First.put(L, Block, For.Object);
  L.Bringer = isSampledLine(Block, DetailShift) ? &For : nullptr;
  Recent[recentAt(Block)] = &L;
  L.Passing = CanPass && !L.Bringer ? Block : None;
  setLatest(L);
  if (Distances.isSampled(Block)) {
    L.Reused = Distances.numberOf(Block);
    if (!L.Reused) {
      L.Reused = Distances.add(Block);
      ++For.FirstUses;
    } else {
      ++For.Reuse[Reuse::bin(Distances.distance(L.Reused))];
    }
  }
  return L;
}

void Core::countMissed(uint64_t Address, uint32_t Bytes, CacheCounts &To,
                       const Miss &Why) {
  countMiss(To.Levels[0], Why.Class);
  if (Why.Class == MissClass::Conflict)
    Pairs.count(0, To.Object, Why.Evictor);
  referBelow(Address, Bytes, To);
}

// A reference to a line that is watched or not the latest of its set. Calls
// only at its end.
__attribute__((noinline)) void Core::referToLine(SiteState &S, uint32_t Site,
                                                 uint64_t Address) {
  const uint64_t Block = Address >> Shift;
  NearLine *L = Recent[recentAt(Block)];
  if (__builtin_expect(L->Tag != Block + 1, false))
    return referElsewhere(S, Site, Address);
  if (__builtin_expect(L->IsMissing | L->Reused | Watched | PartShift, false) ||
      First.isLogFull())
    return referFully(S, Site, Address, *L);
  First.note(*L);
  LatestOfSet[Block & SetMask] = L->Passing;
  L->Used |= S.Parts << (Address & LineMask);
  if (!isLatestPage(Address) && !Pages.useSecond(Address >> PageShift))
    lookUp(S, Site, Address);
}

__attribute__((noinline)) void Core::referElsewhere(SiteState &S, uint32_t Site,
                                                    uint64_t Address) {
  NearLine *L = First.find(Address >> Shift);
  if (!L)
    return miss(S, Site, Address);
  Recent[recentAt(Address >> Shift)] = L;
  referToLine(S, Site, Address);
}

__attribute__((noinline)) void Core::referFully(SiteState &S, uint32_t Site,
                                                uint64_t Address, NearLine &L) {
  First.touch(L);
  setLatest(L);
  translate(S, Site, Address);
  use(L, S, Site, Address, partsOf(S, Address), 1);
}

__attribute__((noinline)) void Core::miss(SiteState &S, uint32_t Site,
                                          uint64_t Address) {
  CacheCounts &C = countsOf(S, Site, Address);
  Miss Why;
  NearLine &L = bring(Address >> Shift, C, Why);
  const uint64_t Parts = partsOf(S, Address);
  L.Used = Parts;
  if (Watched)
    watch(L, S, Site, Parts, 1);
  countMissed(Address, S.Reach + 1, C, Why);
  translate(S, Site, Address);
}

/// The line's parts from one byte to another.
uint64_t Core::partsBetween(uint64_t From, uint64_t To) const {
  uint64_t Low = (From & LineMask) >> PartShift;
  uint64_t High = (To & LineMask) >> PartShift;
  return (~uint64_t(0) >> (63 - (High - Low))) << Low;
}

// A reference to several lines, or a site's first.
__attribute__((noinline)) void Core::referSlowly(SiteState &S, uint32_t Site,
                                                 uint64_t Address) {
  if (!S.IsKnown)
    learn(S, Site);
  Miss Why{}, Each{};
  CacheCounts *C = nullptr;
  const uint64_t End = Address + S.Reach;
  for (uint64_t Block = Address >> Shift; Block <= End >> Shift; ++Block) {
    const uint64_t Parts =
        partsBetween(std::max(Address, Block << Shift),
                     std::min(End, (Block << Shift) | LineMask));
    if (NearLine *L = find(Block)) {
      First.touch(*L);
      setLatest(*L);
      use(*L, S, Site, Address, Parts, 1);
      continue;
    }
    NearLine &L = bring(Block, countsOf(S, Site, Address), Each);
    if (!C)
      Why = Each;
    C = S.Counts;
    L.Used = Parts;
    if (Watched)
      watch(L, S, Site, Parts, 1);
  }
  if (C)
    countMissed(Address, S.Reach + 1, *C, Why);
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
  const uint64_t Block = Address >> Shift;
  NearLine &L = *find(Block);
  if (!L.Bringer && !L.Reused && !Watched)
    return;
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
  for (; Watched && Count; Count -= std::min(Count, MostUntold))
    watch(L, S, Site, Parts, std::min(Count, MostUntold));
}

//===--- Pages and reuse --------------------------------------------------===//

// A reference to two pages counts as one miss.
__attribute__((noinline)) void Core::lookUp(SiteState &S, uint32_t Site,
                                            uint64_t Address) {
  bool Missed = false;
  const uint64_t Last = (Address + S.Reach) >> PageShift;
  for (uint64_t Page = Address >> PageShift; Page <= Last; ++Page)
    Missed |= !Pages.use(Page);
  if (Missed)
    ++countsOf(S, Site, Address).TlbMisses;
}

__attribute__((noinline)) void Core::countReuse(SiteState &S, uint32_t Site,
                                                uint64_t Address, NearLine &L,
                                                uint64_t Times) {
  unsigned Bin = Reuse::bin(Distances.distance(L.Reused));
  countsOf(S, Site, Address).Reuse[Bin] += Times;
}

//===--- Sharing ----------------------------------------------------------===//

void Core::begin(uint64_t BeginTime, uint64_t EndTime, const uint64_t *FromWord,
                 const uint64_t *ToWord) {
  if (Watched != All.hasSeveral()) {
    Watched = true;
    std::fill_n(LatestOfSet, SetMask + 1, None);
  }
  Begin = BeginTime;
  End = EndTime;
  From = Record = RecordEnd = Told = FromWord;
  To = ToWord;
}

void Core::end() {
  Record = RecordEnd = To;
  if (Watched)
    tell();
}

uint64_t Core::timeOf(const uint64_t *Words) const {
  double Part = To > From ? double(Words - From) / double(To - From) : 0;
  return Begin + static_cast<uint64_t>(double(End - Begin) * Part);
}

Sharing::Period Core::now() const {
  return {timeOf(Told), timeOf(RecordEnd), References};
}

__attribute__((noinline)) void Core::watch(const NearLine &L,
                                           const SiteState &S, uint32_t Site,
                                           uint64_t Parts, uint64_t Times) {
  Visit &V = Visits[L.Number];
  if (!V.count())
    Visited.push(L.Number);
  if (S.Stores) {
    V.Stores += Times;
    V.Written |= Parts;
    V.WriteSite = Site;
  } else {
    V.Loads += Times;
    V.Read |= Parts;
    V.ReadSite = Site;
  }
  References += Times;
  Untold += Times;
  if (Untold >= MostUntold)
    tell();
}

void Core::tell() {
  const Sharing::Period T = now();
  All.share([&](Sharing &Others) {
    for (uint32_t Number : Visited) {
      Visit &V = Visits[Number];
      if (V.count())
        Others.add(Thread, (First.begin()[Number].Tag - 1) << Shift, V, T,
                   AddressOwners);
      V = {};
    }
  });
  Visited.clear();
  Untold = 0;
  // A record may be of many references: these are all of its time.
  Told = Record;
}

//===--- The end ----------------------------------------------------------===//

void Core::finish() {
  for (NearLine &L : First) {
    if (L.Tag)
      countUse(L);
    L.Bringer = nullptr;
  }
}

} // namespace graupel::stride
