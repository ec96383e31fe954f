//===- Cache/Tlb.h - Which pages are at hand -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_TLB_H
#define GRAUPEL_STRIDE_CACHE_TLB_H

#include "System.h"

namespace graupel::stride {

/// Pages by sets, LRU. Made for those that are used again and again; a miss
/// costs some steps a way. Not thread-safe.
class Tlb {
public:
  struct Entry {
    uint64_t Tag; ///< 0: empty; else the page and 1.
    uint64_t Time;
  };

  /// No entries: it is not asked.
  Tlb(uint32_t Entries, uint32_t Ways)
      : Ways(Ways), Sets(Ways ? Entries / Ways : 0),
        List(static_cast<Entry *>(allocate((Entries + 1) * sizeof(Entry)))) {}

  uint32_t sets() const { return Sets; }
  /// For who has not found any yet.
  Entry *first() const { return List; }
  void touch(Entry &E) { E.Time = ++Now; }
  /// The page's entry, which is the latest then, and whether it was there.
  Entry *use(uint64_t Page, bool &Found) {
    Entry *Set = List + Page % Sets * Ways, *Which = Set;
    Found = true;
    for (Entry *E = Set; E < Set + Ways; ++E) {
      if (E->Tag == Page + 1) {
        touch(*E);
        return E;
      }
      if (E->Time < Which->Time)
        Which = E;
    }
    Found = false;
    *Which = {Page + 1, ++Now};
    return Which;
  }

private:
  const uint32_t Ways, Sets;
  uint64_t Now = 0;
  Entry *List;
};

} // namespace graupel::stride

#endif
