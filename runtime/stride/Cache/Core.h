//===- Cache/Core.h - A thread's own caches --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's references go to the first level here. Most of them hit a line
// that the same site hit before; their cost dominates the simulation. Lines of
// the first level are watched: which bytes are used, how long until they are
// used again, whether other threads use them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_CORE_H
#define GRAUPEL_STRIDE_CACHE_CORE_H

#include "Base/Consumer.h"
#include "Caches.h"
#include "Nearest.h"
#include "Reuse.h"
#include "Tlb.h"

namespace graupel::stride {

/// For one thread at a time.
class Core {
public:
  /// `Facts[Site]` is valid for each site that is referred to.
  Core(Caches &All, uint32_t Thread, const SiteFacts *Facts, uint32_t MaxSites,
       Owners &AddressOwners);

  /// Recognizes most references that change nothing: those to the latest line
  /// of its set, on the latest page of its set. Fits into registers; valid as
  /// long as the core is. `IsUsual`: 64 bytes a line, 4096 a page.
  struct Filter {
    const uint16_t *Rooms; ///< By site.
    const uint64_t *LatestOfSet, *LatestPages;
    uint64_t SetMask, PageMask;
    unsigned Shift, PageShift;

    template <bool IsUsual>
    GRAUPEL_HOT bool passes(uint64_t Site, uint64_t Address) const {
      const unsigned LineShift = IsUsual ? UsualShift : Shift;
      const uint64_t Block = Address >> LineShift;
      const uint64_t Page = Address >> (IsUsual ? UsualPageShift : PageShift);
      return (Address & ((uint64_t(1) << LineShift) - 1)) < Rooms[Site] &&
             LatestOfSet[Block & SetMask] == Block &&
             LatestPages[Page & PageMask] == Page;
    }
    bool isUsual() const {
      return Shift == UsualShift && PageShift == UsualPageShift;
    }
  };
  Filter filter() const {
    return {Rooms, LatestOfSet, Pages.latest(), SetMask, Pages.latestMask(),
            Shift, PageShift};
  }
  /// Counts one reference.
  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address) {
    if (__builtin_expect(!filter().passes<false>(Site, Address), false))
      count(Site, Address);
  }
  /// Counts a reference that did not pass the filter.
  GRAUPEL_HOT void count(uint32_t Site, uint64_t Address) {
    SiteState &S = Sites[Site];
    if (__builtin_expect((Address & LineMask) >= Rooms[Site], false))
      return referSlowly(S, Site, Address);
    referToLine(S, Site, Address);
  }
  /// References of a site that hit lines as the last one did, and change the
  /// order of lines in no cache: `Count` times, from `Address` on.
  void again(uint32_t Site, uint64_t Address, int64_t Step, uint64_t Count);
  /// Whether an address would be found wherever it is looked for, of one line.
  GRAUPEL_HOT bool stays(uint64_t Address) const {
    const uint64_t Block = Address >> Shift;
    const NearLine *L = Recent[recentAt(Block)];
    if (__builtin_expect(L->Tag != Block + 1, false))
      L = First.find(Block);
    return L && !L->IsMissing &&
           (isLatestPage(Address) || Pages.has(Address >> PageShift));
  }
  unsigned lineBytes() const { return 1u << Shift; }

  /// Addresses may belong to others now than Owners has told.
  void forgetOwners();
  /// References that follow were made in this time, in which records from
  /// `From` to `To` were written, evenly.
  void begin(uint64_t Begin, uint64_t End, const uint64_t *From,
             const uint64_t *To);
  /// References that follow are of the record of these words.
  void advance(const uint64_t *Words, const uint64_t *Behind) {
    Record = Words;
    RecordEnd = Behind;
  }
  void end();
  /// Counts the uses of the lines that are still there; afterwards they are as
  /// if new.
  void finish();

  Core *Next = nullptr; ///< For lists.

private:
  struct SiteState {
    uint64_t Parts; ///< In a line of at most 64 bytes, from its first on.
    uint32_t Reach; ///< Bytes of a reference, less one.
    uint16_t Stores, IsKnown;
    uint64_t Begin, Bytes; ///< Addresses that Counts is for.
    CacheCounts *Counts;
  };
  static constexpr unsigned UsualShift = 6, UsualPageShift = 12;
  /// No block, and no page, has this number.
  static constexpr uint64_t None = ~uint64_t(0);

  GRAUPEL_HOT uint64_t partsOf(const SiteState &S, uint64_t Address) const {
    return PartShift ? partsBetween(Address, Address + S.Reach)
                     : S.Parts << (Address & LineMask);
  }
  void use(NearLine &L, SiteState &S, uint32_t Site, uint64_t Address,
           uint64_t Parts, uint64_t Times) {
    L.Used |= Parts;
    if (L.Reused)
      countReuse(S, Site, Address, L, Times);
    if (Watched)
      watch(L, S, Site, Parts, Times);
  }
  // Arrays are at distances that have many factors.
  GRAUPEL_HOT static uint64_t recentAt(uint64_t Block) {
    return Block * 0x9e3779b97f4a7c15 >> (64 - RecentBits);
  }
  /// A line, if it is there.
  NearLine *find(uint64_t Block) {
    NearLine *&L = Recent[recentAt(Block)];
    if (L->Tag == Block + 1)
      return L;
    NearLine *Found = First.find(Block);
    if (Found)
      L = Found;
    return Found;
  }
  GRAUPEL_HOT bool isLatestPage(uint64_t Address) const {
    const uint64_t Page = Address >> PageShift;
    return Pages.latest()[Page & Pages.latestMask()] == Page;
  }
  void translate(SiteState &S, uint32_t Site, uint64_t Address) {
    if (!isLatestPage(Address))
      lookUp(S, Site, Address);
  }
  /// The line of its set that was used last; if its use is watched nobody may
  /// pass it over.
  void setLatest(NearLine &L) {
    LatestOfSet[(L.Tag - 1) & SetMask] = Watched ? None : L.Passing;
  }

  void referToLine(SiteState &S, uint32_t Site, uint64_t Address);
  void referElsewhere(SiteState &S, uint32_t Site, uint64_t Address);
  void referFully(SiteState &S, uint32_t Site, uint64_t Address, NearLine &L);
  void miss(SiteState &S, uint32_t Site, uint64_t Address);
  void referSlowly(SiteState &S, uint32_t Site, uint64_t Address);
  void learn(SiteState &S, uint32_t Site);
  NearLine &bring(uint64_t Block, CacheCounts &For, Miss &Why);
  void countMissed(uint64_t Address, uint32_t Bytes, CacheCounts &To,
                   const Miss &Why);
  void leave(NearLine &L);
  static void countUse(const NearLine &L);
  uint64_t partsBetween(uint64_t From, uint64_t To) const;
  void referBelow(uint64_t Address, uint32_t Bytes, CacheCounts &To);
  void lookUp(SiteState &S, uint32_t Site, uint64_t Address);
  CacheCounts &countsOf(SiteState &S, uint32_t Site, uint64_t Address);
  void countReuse(SiteState &S, uint32_t Site, uint64_t Address, NearLine &L,
                  uint64_t Times);
  void watch(const NearLine &L, const SiteState &S, uint32_t Site,
             uint64_t Parts, uint64_t Times);
  void tell();
  Sharing::Period now() const;
  uint64_t timeOf(const uint64_t *Words) const;

  const unsigned Shift, PartShift, DetailShift;
  const uint64_t LineMask;
  SiteState *Sites;
  /// By site: offsets of references to one line; 0: not known yet, or none.
  uint16_t *Rooms;
  Nearest First;
  /// Lines that may be found here; not null.
  static constexpr unsigned RecentBits = 9;
  NearLine *Recent[1 << RecentBits];
  bool Watched = false;
  /// By set: the latest line, if that may be passed over; None otherwise.
  uint64_t *LatestOfSet;
  uint64_t SetMask = 0;
  bool CanPass = false; ///< The number of sets is a power of two.
  const unsigned PageShift;
  Tlb Pages;
  Level *Below[MaxCacheLevels] = {}; ///< Private ones; the rest is shared.
  Caches &All;
  const SiteFacts *Facts;
  Array<uint32_t> Learnt; ///< Sites.
  Owners &AddressOwners;
  const uint32_t Thread;
  ConflictPairs Pairs;
  Table<CacheCounts> Known; ///< By site and object.
  CacheCounts Nowhere{};
  Reuse Distances;
  /// Sharing: lines to tell of, references since, and time.
  Visit *Visits; ///< By line: references since the others were told.
  Array<uint32_t> Visited;
  uint64_t References = 0, Untold = 0;
  uint64_t Begin = 0, End = 0;
  const uint64_t *From = nullptr, *To = nullptr;
  /// Now; and when others were last told.
  const uint64_t *Record = nullptr, *RecordEnd = nullptr, *Told = nullptr;
};

} // namespace graupel::stride

#endif
