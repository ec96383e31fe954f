//===- Cache/Sets.h - The lines of one cache -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines that a cache has. A line keeps its slot as long as it stays. Sets
// of up to 16 ways, which nearly all caches have, know a byte of each line, so
// that 16 are compared at once, and their order of use in one word; it is the
// order that cachegrind keeps.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_SETS_H
#define GRAUPEL_STRIDE_CACHE_SETS_H

#include "Hints.h"
#include "Recency.h"

namespace graupel::stride {

/// Not thread-safe.
class Sets {
public:
  static constexpr uint32_t None = Recency::None;
  static constexpr uint64_t NoBlock = Recency::NoBlock;

  /// `Lines` a multiple of `Ways`.
  Sets(uint32_t Lines, uint32_t Ways, Replacement Policy);

  /// The slot of a line, or None.
  uint32_t find(uint64_t Block) const {
    if (__builtin_expect(!Few, false))
      return findInLarge(Block);
    const uint64_t First = setOf(Block) << WayShift;
    for (uint32_t Match = Few->matches(First, Block); Match;
         Match &= Match - 1) {
      auto Slot = static_cast<uint32_t>(First) + __builtin_ctz(Match);
      if (has(Slot, Block))
        return Slot;
    }
    return None;
  }
  bool has(uint32_t Slot, uint64_t Block) const {
    return Tags[place(Slot)] == Block + 1;
  }
  uint64_t blockAt(uint32_t Slot) const { return Tags[place(Slot)] - 1; }
  void touch(uint32_t Slot) {
    if (__builtin_expect(!Few, false))
      return touchInLarge(Slot);
    uint64_t &Changed = Orders[Slot >> WayShift];
    const uint64_t Order = Changed ^ AtFirst;
    const uint64_t Way = Slot & ((1u << WayShift) - 1);
    // The digits before the way's move up by one.
    const uint64_t Other = Order ^ (Way * Ones);
    const uint64_t Zero = (Other - Ones) & ~Other & (Ones << 3);
    const uint64_t Before = (Zero & -Zero) >> 3;
    const uint64_t Low = Before - 1;
    Changed =
        ((Order & ~(Low | Before * 15)) | (Order & Low) << 4 | Way) ^ AtFirst;
  }
  /// The slot for a line that is not there; NoBlock or another line is in it.
  uint32_t victim(uint64_t Block);
  void put(uint32_t Slot, uint64_t Block);
  uint32_t lines() const { return Lines; }

private:
  static constexpr uint64_t Ones = 0x1111111111111111;
  static constexpr uint64_t AtFirst = 0xfedcba9876543210;

  uint64_t setOf(uint64_t Block) const {
    return Mask + 1 == Count ? Block & Mask : Block % Count;
  }

  /// Large caches have tags way by way, so that they take memory for ways that
  /// are in use only.
  uint64_t place(uint32_t Slot) const {
    if (__builtin_expect(!ByWay, true))
      return Slot;
    return uint64_t(Slot & ((1u << WayShift) - 1)) * Count + (Slot >> WayShift);
  }
  uint32_t findInLarge(uint64_t Block) const;
  void touchInLarge(uint32_t Slot);

  const uint32_t Lines, Ways, Count;
  const unsigned WayShift; ///< A set has a power of two of slots.

  const uint64_t Mask; ///< For sets, if their number is a power of two.
  const Replacement Policy;
  const bool ByWay;
  Random Chance;
  uint64_t *Tags;       ///< 0: empty; else the block and 1.
  Hints *Few = nullptr; ///< For sets with few ways; then:
  /// By set: a digit for each way, the latest lowest, XOR the initial order.
  uint64_t *Orders = nullptr;
  /// For sets with more ways.
  uint64_t *Times = nullptr, Now = 1;
  Recency *All = nullptr; ///< For one set with many lines.
};

} // namespace graupel::stride

#endif
