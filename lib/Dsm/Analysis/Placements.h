//===- Dsm/Analysis/Placements.h - The best blocks and homes ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches the placements that a program can choose for an object, by replays.
// The chosen one has to be better by the less favorable of a replay's two
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ANALYSIS_PLACEMENTS_H
#define GRAUPEL_DSM_ANALYSIS_PLACEMENTS_H

#include "Replay.h"

namespace graupel::dsm {

/// The cost of a miss in misses of small blocks: contents take time, too.
double costOfMiss(uint64_t Block);

/// The block with the least cost; the recorded one if no other brings much.
Placement chooseBlock(const Replay &, const Placement &Now);
/// The home with the fewest messages; that of \p Now if no other saves many.
Placement chooseHome(const Replay &, const Placement &Now, int Nodes);

/// Loads of one line that miss one after the other, and could be under way
/// together.
struct BulkFetch {
  unsigned Place;         ///< As Access::Place.
  uint64_t Bytes;         ///< At a time, on average.
  uint64_t Misses, Waits; ///< Now.
  uint64_t MissesMost, WaitsThen;
};
std::vector<BulkFetch> findBulkFetches(const Replay &, const Placement &);

} // namespace graupel::dsm

#endif
