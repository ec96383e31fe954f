//===- Cache/Tlb.h - Translations of pages ----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_TLB_H
#define GRAUPEL_STRIDE_CACHE_TLB_H

#include "Base/System.h"
#include <bit>

namespace graupel::stride {

/// Pages by sets, LRU: a set's pages stand in the order of their use, the
/// latest first. Not thread-safe.
class Tlb {
public:
  /// No page has this number.
  static constexpr uint64_t None = ~uint64_t(0);

  /// No entries: all pages are number 0, and at hand.
  Tlb(uint32_t Entries, uint32_t Ways)
      : Ways(Ways), Sets(Ways ? Entries / Ways : 1),
        Mask(std::has_single_bit(Sets) ? Sets - 1 : 0),
        HasSecond(Ways > 1 && Mask + 1 == Sets),
        List(static_cast<uint64_t *>(
            allocate((Entries + 1) * sizeof(uint64_t)))) {
    for (uint32_t N = 0; N < Entries; ++N)
      List[N] = None;
    List[Entries] = Entries ? None : 0;
    Latest = Mask + 1 == Sets ? List : List + Entries;
  }

  /// By the page's number and latestMask(): the latest of its set. None if it
  /// is not known.
  const uint64_t *latest() const { return Latest; }
  uint64_t latestMask() const { return Mask; }
  bool has(uint64_t Page) const {
    const uint64_t *At = firstOf(Page);
    for (uint32_t Way = 0; Way < Ways; ++Way, At += Sets)
      if (*At == Page)
        return true;
    return !Ways;
  }
  /// If the page is the second of its set, it is the latest then. Whether so.
  GRAUPEL_HOT bool useSecond(uint64_t Page) {
    uint64_t *At = Latest + (Page & Mask);
    if (!HasSecond || At[Sets] != Page)
      return false;
    At[Sets] = At[0];
    At[0] = Page;
    return true;
  }
  /// The page is the latest of its set then. Whether it was there.
  bool use(uint64_t Page) {
    if (!Ways)
      return true;
    uint64_t *At = firstOf(Page);
    uint64_t Before = Page;
    for (uint32_t Way = 0; Way < Ways; ++Way, At += Sets) {
      const uint64_t Each = *At;
      *At = Before;
      if (Each == Page)
        return true;
      Before = Each;
    }
    return false;
  }

private:
  uint64_t *firstOf(uint64_t Page) const {
    return List + (Mask + 1 == Sets ? Page & Mask : Page % Sets);
  }

  const uint32_t Ways, Sets;
  const uint64_t Mask; ///< For sets, if their number is a power of two.
  const bool HasSecond;
  uint64_t *List; ///< The first of each set, the second of each set, ...
  uint64_t *Latest;
};

} // namespace graupel::stride

#endif
