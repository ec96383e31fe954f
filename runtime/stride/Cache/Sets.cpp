//===- Cache/Sets.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"

namespace graupel::stride {

/// More ways are not searched one by one.
static constexpr uint32_t MostSearched = 32;
/// Larger caches take memory way by way.
static constexpr uint32_t LargeLines = 1 << 15;

Sets::Sets(uint32_t Lines, uint32_t Ways, Replacement Policy)
    : Lines(Lines), Ways(Ways), Count(Lines / Ways),
      Step(Lines < LargeLines ? 1 : Count),
      Mask(Count & (Count - 1) ? 0 : Count - 1), Policy(Policy),
      Tags(static_cast<uint64_t *>(allocate(Lines * sizeof(uint64_t)))),
      Times(static_cast<uint32_t *>(allocate(Lines * sizeof(uint32_t)))) {
  if (Count == 1 && Ways > MostSearched)
    All = make<Recency>(Lines, Policy);
}

uint32_t Sets::victim(uint64_t Block) {
  if (All)
    return All->victim();
  uint64_t First = setOf(Block), Oldest = First, Slot = First;
  for (uint32_t Way = 0; Way < Ways; ++Way, Slot += Step) {
    if (!Tags[Slot])
      return static_cast<uint32_t>(Slot);
    if (Policy == Replacement::LRU && Times[Slot] < Times[Oldest])
      Oldest = Slot;
  }
  if (Policy == Replacement::Random)
    Oldest = First + uint64_t(Chance.below(Ways)) * Step;
  return static_cast<uint32_t>(Oldest);
}

void Sets::put(uint32_t Slot, uint64_t Block) {
  if (All)
    All->put(Slot, Block);
  Tags[Slot] = Block + 1;
  if (!All)
    touch(Slot);
}

// The clock has gone round. Only the order within a set matters: each line's
// time becomes the number of older ones.
void Sets::renumber() {
  for (uint32_t Set = 0; Set < Count; ++Set) {
    uint64_t First = Step == 1 ? uint64_t(Set) * Ways : Set;
    uint32_t Older[MostSearched];
    uint32_t *Ranks =
        Ways <= MostSearched
            ? Older
            : static_cast<uint32_t *>(allocate(Ways * sizeof(uint32_t)));
    for (uint32_t A = 0; A < Ways; ++A) {
      Ranks[A] = 0;
      for (uint32_t B = 0; B < Ways; ++B)
        Ranks[A] += Times[First + uint64_t(B) * Step] <
                    Times[First + uint64_t(A) * Step];
    }
    for (uint32_t A = 0; A < Ways; ++A)
      Times[First + uint64_t(A) * Step] = Ranks[A];
  }
  Now = Ways;
}

} // namespace graupel::stride
