//===- Cache/Core.h - A thread's own caches --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's references go to the first level here. Most of them hit a line
// that the same site hit before; what they cost is what the simulation costs.
// Lines of the first level are watched: which bytes are used, how long until
// they are used again, whether other threads use them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_CORE_H
#define GRAUPEL_STRIDE_CACHE_CORE_H

#include "Caches.h"
#include "Consumer.h"
#include "Reuse.h"

namespace graupel::stride {

/// For one thread at a time.
class Core {
public:
  /// `Facts[Site]` is valid for each site that is referred to.
  Core(Caches &All, uint32_t Thread, const SiteFacts *Facts, uint32_t MaxSites,
       Owners &Of);

  /// Counts one reference.
  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address) {
    SiteState &S = Sites[Site];
    uint64_t Block = Address >> Shift;
    if (__builtin_expect(!S.Parts || (Address + S.Reach) >> Shift != Block,
                         false))
      return referSlowly(Site, Address);
    if (__builtin_expect(!First.Lines.has(S.Slot, Block), false)) {
      uint32_t Slot = First.Lines.find(Block);
      if (Slot == Sets::None)
        return referSlowly(Site, Address);
      S.Slot = Slot;
    }
    hit(S, Site, Block, Address);
    if (HasTlb)
      translate(S, Site, Address);
  }
  /// References of a site that hit lines as the last one did, and change the
  /// order of lines in no cache: `Count` times, from `Address` on.
  void again(uint32_t Site, uint64_t Address, int64_t Step, uint64_t Count);
  /// Of the first level, so far; of any site.
  uint64_t misses() const { return MissCount; }
  unsigned lineBytes() const { return 1u << Shift; }

  /// References that follow were made in this time, evenly; `At` goes from
  /// `From` to `To` meanwhile.
  void begin(uint64_t Begin, uint64_t End, const uint64_t *From,
             const uint64_t *To);
  void advance(const uint64_t *To) { At = To; }
  void end();
  /// Counts what the lines that are still there have been used for; they are
  /// there as if new.
  void finish();

  Core *Next = nullptr; ///< For lists.

private:
  struct SiteState {
    uint64_t Parts;  ///< Of a line, from its first on; 0: nothing known yet.
    uint32_t Reach;  ///< Bytes of a reference, less one.
    uint32_t Slot;   ///< Where the latest line was.
    uint32_t Page;   ///< Where the latest page was.
    uint32_t Stores; ///< 1: it stores.
    uint64_t Begin, Bytes; ///< Addresses that Counts is for.
    CacheCounts *Counts;
    uint64_t Padding[2];
  };
  struct Line {
    uint64_t Used;        ///< Parts.
    CacheCounts *Bringer; ///< Null: not counted.
    uint32_t Node;        ///< Level::found's.
    uint32_t Reused;      ///< Number in `Distances`, or 0.
    Visit Since;          ///< The other threads were told.
  };

  GRAUPEL_HOT uint64_t partsOf(const SiteState &S, uint64_t Address) const {
    return PartShift ? partsBetween(Address, Address + S.Reach)
                     : S.Parts << (Address & LineMask);
  }
  GRAUPEL_HOT void hit(SiteState &S, uint32_t Site, uint64_t Block,
                       uint64_t Address) {
    Line &L = Lines[S.Slot];
    First.Lines.touch(S.Slot);
    First.found(Block, L.Node);
    uint64_t Parts = partsOf(S, Address);
    L.Used |= Parts;
    if (__builtin_expect(L.Reused, false))
      countReuse(S, Site, Address, L);
    if (__builtin_expect(Watched, false))
      watch(S, Site, Parts, 1);
  }
  GRAUPEL_HOT void translate(SiteState &S, uint32_t Site, uint64_t Address) {
    uint64_t Page = Address >> PageShift;
    if (Page == LatestPage)
      return;
    LatestPage = Page;
    if (!Tlb.has(S.Page, Page))
      return lookUp(S, Site, Address);
    Tlb.touch(S.Page);
  }

  void referSlowly(uint32_t Site, uint64_t Address);
  void learn(SiteState &S, uint32_t Site);
  void bring(SiteState &S, uint64_t Block, CacheCounts &For, Miss &Why);
  void leave(const Line &L, uint64_t Block);
  static void countUse(const Line &L);
  uint64_t partsBetween(uint64_t From, uint64_t To) const;
  void referBelow(uint64_t Address, uint32_t Bytes, CacheCounts &To);
  void lookUp(SiteState &S, uint32_t Site, uint64_t Address);
  CacheCounts &countsOf(SiteState &S, uint32_t Site, uint64_t Address);
  void countReuse(SiteState &S, uint32_t Site, uint64_t Address, Line &L,
                  uint64_t Times = 1);
  void watch(const SiteState &S, uint32_t Site, uint64_t Parts, uint64_t Times);
  void tell();
  Sharing::When now() const;

  const unsigned Shift, PartShift;
  const uint64_t LineMask;
  SiteState *Sites;
  Level First;
  Line *Lines; ///< By slot.
  bool Watched = false;
  const bool HasTlb;
  const unsigned PageShift;
  uint64_t LatestPage = ~uint64_t(0);
  Sets Tlb;
  uint64_t MissCount = 0;
  Level *Below[MaxCacheLevels] = {}; ///< Private ones; the rest is shared.
  Caches &All;
  const SiteFacts *Facts;
  Owners &Of;
  const uint32_t Thread;
  ConflictPairs Pairs;
  Table<CacheCounts> Known; ///< By site and object.
  CacheCounts Nowhere{};
  Reuse Distances;
  /// Sharing: lines to tell of, references since, and time.
  Array<uint32_t> Visited;
  uint64_t References = 0, Untold = 0, ToldAt = 0;
  uint64_t Begin = 0, End = 0;
  const uint64_t *From = nullptr, *To = nullptr, *At = nullptr;
};

} // namespace graupel::stride

#endif
