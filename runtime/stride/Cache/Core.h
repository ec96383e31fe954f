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
#include "Nearest.h"
#include "Reuse.h"
#include "Tlb.h"

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
    const uint64_t Block = Address >> Shift;
    if (__builtin_expect((Address & LineMask) >= S.Room, false))
      return referSlowly(S, Site, Address);
    // What is the latest of its set is so again.
    const uint64_t Page = Address >> PageShift;
    if (LatestOfSet[Block & SetMask] == Block + 1 &&
        LatestPages[Page & PageMask] == Page + 1)
      return;
    referToLine(S, Site, Address);
  }
  /// References of a site that hit lines as the last one did, and change the
  /// order of lines in no cache: `Count` times, from `Address` on.
  void again(uint32_t Site, uint64_t Address, int64_t Step, uint64_t Count);
  /// Of the first level, so far; of any site.
  uint64_t misses() const { return MissCount; }
  unsigned lineBytes() const { return 1u << Shift; }

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
  /// Counts what the lines that are still there have been used for; they are
  /// there as if new.
  void finish();

  Core *Next = nullptr; ///< For lists.

private:
  struct SiteState {
    NearLine *Latest;
    uint64_t Parts; ///< Of a line, from its first on.
    uint32_t Room;  ///< Offsets of references to one line; 0: not known yet.
    uint32_t Reach; ///< Bytes of a reference, less one.
    Tlb::Entry *Page;
    uint64_t Begin, Bytes; ///< Addresses that Counts is for.
    CacheCounts *Counts;
    uint64_t Stores; ///< 1: it stores.
  };

  GRAUPEL_HOT uint64_t partsOf(const SiteState &S, uint64_t Address) const {
    return PartShift ? partsBetween(Address, Address + S.Reach)
                     : S.Parts << (Address & LineMask);
  }
  GRAUPEL_HOT void use(NearLine &L, SiteState &S, uint32_t Site,
                       uint64_t Address, uint64_t Parts, uint64_t Times) {
    L.Used |= Parts;
    if (__builtin_expect(L.Reused, false))
      countReuse(S, Site, Address, L, Times);
    if (__builtin_expect(Watched, false))
      watch(L, S, Site, Parts, Times);
  }
  void translate(SiteState &S, uint32_t Site, uint64_t Address) {
    uint64_t Page = Address >> PageShift;
    if (Page == LatestPage)
      return;
    LatestPage = Page;
    if (__builtin_expect(S.Page->Tag != Page + 1, false))
      return lookUp(S, Site, Address);
    Pages.touch(*S.Page);
    setLatestPage(Page);
  }
  /// The line of its set that was used last; if its use is watched nobody may
  /// pass it over.
  void setLatest(NearLine &L) {
    const uint64_t Block = L.Tag - 1;
    Latest = &L;
    LatestOfSet[Block & SetMask] =
        Watched || !CanPass || isSampledLine(Block, DetailShift) ? 0 : L.Tag;
  }
  void setLatestPage(uint64_t Page) {
    if (CanPass)
      LatestPages[Page & PageMask] = Page + 1;
  }

  void referToLine(SiteState &S, uint32_t Site, uint64_t Address);
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
  Sharing::When now() const;
  uint64_t timeOf(const uint64_t *Words) const;

  const unsigned Shift, PartShift, DetailShift;
  const uint64_t LineMask;
  SiteState *Sites;
  Nearest First;
  NearLine *Latest = nullptr; ///< What referToLine() had last.
  bool Watched = false;
  /// By set, of lines and of pages: the latest and 1, if that may be passed
  /// over; 0 otherwise.
  uint64_t *LatestOfSet, *LatestPages;
  uint64_t SetMask = 0, PageMask = 0;
  bool CanPass = false; ///< Numbers of sets are powers of two.
  const bool HasTlb;
  const unsigned PageShift;
  uint64_t LatestPage = ~uint64_t(0);
  Tlb Pages;
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
  Visit *Visits; ///< By line: since the others were told.
  Array<uint32_t> Visited;
  uint64_t References = 0, Untold = 0;
  uint64_t Begin = 0, End = 0;
  const uint64_t *From = nullptr, *To = nullptr;
  /// Now; and when others were last told.
  const uint64_t *Record = nullptr, *RecordEnd = nullptr, *Told = nullptr;
};

} // namespace graupel::stride

#endif
