//===- Cache/Sets.h - The lines of one cache -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lines a cache has. A line keeps its slot as long as it stays, so that
// more can be known of it by slot. LRU is by the time of the last use; it is
// the order that cachegrind keeps.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_SETS_H
#define GRAUPEL_STRIDE_CACHE_SETS_H

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
    if (All)
      return All->find(Block);
    uint64_t Slot = setOf(Block);
    for (uint32_t Way = 0; Way < Ways; ++Way, Slot += Step) {
      if (Tags[Slot] == Block + 1)
        return static_cast<uint32_t>(Slot);
      if (!Tags[Slot])
        break;
    }
    return None;
  }
  bool has(uint32_t Slot, uint64_t Block) const {
    return Tags[Slot] == Block + 1;
  }
  uint64_t blockAt(uint32_t Slot) const { return Tags[Slot] - 1; }
  void touch(uint32_t Slot) {
    if (All)
      return All->touch(Slot);
    Times[Slot] = Now;
    if (++Now == 0)
      renumber();
  }
  /// Where a line that is not there goes; NoBlock or another one is there.
  uint32_t victim(uint64_t Block);
  void put(uint32_t Slot, uint64_t Block);
  uint32_t lines() const { return Lines; }
  /// For tests: the clock is short of its end by so much.
  void setClock(uint32_t Left) { Now = 0 - Left; }

private:
  uint64_t setOf(uint64_t Block) const {
    // Small caches have a set's ways side by side, large ones take memory for
    // ways that are in use only.
    uint64_t Set = Mask ? Block & Mask : Block % Count;
    return Step == 1 ? Set * Ways : Set;
  }
  void renumber();

  uint32_t Lines, Ways, Count, Step;
  uint64_t Mask; ///< 0: the number of sets is no power of two, or one.
  Replacement Policy;
  uint32_t Now = 1;
  Random Chance;
  uint64_t *Tags; ///< 0: empty; else the block and 1.
  uint32_t *Times;
  Recency *All = nullptr; ///< Of one set with many lines.
};

} // namespace graupel::stride

#endif
