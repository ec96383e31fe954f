//===- Cache/Sets.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include <bit>

namespace graupel::stride {

/// More ways are not searched one by one.
static constexpr uint32_t MostSearched = 32;
/// Larger caches take memory way by way.
static constexpr uint32_t LargeLines = 1 << 18;

template <class T> static T *room(uint64_t Count) {
  return static_cast<T *>(allocate(Count * sizeof(T)));
}

Sets::Sets(uint32_t Lines, uint32_t Ways, Replacement Policy)
    : Lines(Lines), Ways(Ways), Count(Lines / Ways),
      WayShift(std::bit_width(Ways - 1)),

      Mask(std::bit_floor(Count) - 1), Policy(Policy),
      ByWay(Count > 1 && Lines >= LargeLines) {
  const uint64_t Slots = uint64_t(Count) << WayShift;
  Tags = room<uint64_t>(Slots);
  if (Count == 1 && Ways > MostSearched) {
    All = make<Recency>(Lines, Policy);
  } else if (Ways > Hints::MostWays) {
    Times = room<uint64_t>(Slots);
  } else {
    Few = make<Hints>(Slots, Ways);
    Orders = room<uint64_t>(Count);
  }
}

uint32_t Sets::findInLarge(uint64_t Block) const {
  if (All)
    return All->find(Block);
  uint64_t Slot = setOf(Block) << WayShift;
  for (uint64_t End = Slot + Ways; Slot < End; ++Slot)
    if (has(static_cast<uint32_t>(Slot), Block))
      return static_cast<uint32_t>(Slot);
  return None;
}

void Sets::touchInLarge(uint32_t Slot) {
  if (All)
    All->touch(Slot);
  else
    Times[place(Slot)] = Now++;
}

uint32_t Sets::victim(uint64_t Block) {
  if (All)
    return All->victim();
  const uint64_t Set = setOf(Block), First = Set << WayShift;
  auto Oldest = static_cast<uint32_t>(First);
  if (Few && Policy == Replacement::LRU)
    return static_cast<uint32_t>(
        First + ((Orders[Set] ^ AtFirst) >> 4 * (Ways - 1) & 15));
  for (auto Slot = static_cast<uint32_t>(First); Slot < First + Ways; ++Slot) {
    if (!Tags[place(Slot)])
      return Slot;
    if (Times && Times[place(Slot)] < Times[place(Oldest)])
      Oldest = Slot;
  }
  if (Policy == Replacement::Random)
    Oldest = static_cast<uint32_t>(First) + Chance.below(Ways);
  return Oldest;
}

void Sets::put(uint32_t Slot, uint64_t Block) {
  if (All)
    All->put(Slot, Block);
  if (Few)
    Few->put(Slot, Block);
  Tags[place(Slot)] = Block + 1;
  if (!Few || Policy != Replacement::LRU)
    return touch(Slot);
  // The last digit becomes the first.
  const uint64_t Digits = ~uint64_t(0) >> 4 * (Hints::MostWays - Ways);
  const uint64_t Way = Slot & ((1u << WayShift) - 1);
  uint64_t &Changed = Orders[Slot >> WayShift];
  const uint64_t Order = Changed ^ AtFirst;
  Changed = ((Order & ~Digits) | ((Order << 4 | Way) & Digits)) ^ AtFirst;
}

} // namespace graupel::stride
