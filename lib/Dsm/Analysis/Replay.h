//===- Dsm/Analysis/Replay.h - Misses with other homes ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicts how often an object's accesses would miss, and with how many
// messages, if it had other blocks or another home:
//
//   1. The accesses that missed, of all nodes in their order, go through
//      Stache's states (Exclusive, Shared, Remote) with the blocks and homes
//      that are asked about. A node that has the block does not miss.
//   2. Accesses that hit are not in a record. Two runs enclose what they would
//      do. The least: there are none. The most: with larger blocks, a node that
//      loses one in which it had a smaller one by the record wants it back once
//      an epoch, as long as others go on; with smaller blocks, each visit
//      touches all that the node ever touched in the recorded block.
//
// Each allocation starts a block, so none lies in a block with another. Knows
// numbers only: no lines, no names.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ANALYSIS_REPLAY_H
#define GRAUPEL_DSM_ANALYSIS_REPLAY_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graupel::dsm {

/// An access that missed. Offsets are of the allocation.
struct Access {
  uint64_t Allocation, First, Last;
  uint64_t Time;
  uint32_t Epoch; ///< Barriers before it.
  int Node;
  int Home; ///< Its page's home, when it was recorded.
  bool Store, Alone;
  unsigned Place; ///< The caller's; not looked at.
};

struct Placement {
  /// Homes of pages, besides numbers of nodes and those of dsm.h.
  static constexpr int AsRecorded = -9;
  /// The node with most accesses to the page.
  static constexpr int MostUser = -10;

  uint64_t Block;
  int Home = AsRecorded;
  bool operator==(const Placement &) const = default;
};

struct Cost {
  uint64_t Misses = 0, Messages = 0;
  /// Misses to store of a node whose last miss, to load, was of the same block,
  /// which nobody else wanted since.
  uint64_t LoadedBefore = 0;
};

struct Prediction {
  Cost Least, Most;
};

/// An access that misses.
struct Missed {
  std::size_t Number; ///< The access's number.
  uint64_t Block;
};

class Replay {
public:
  /// In order. `Block`: the recorded one.
  Replay(std::vector<Access> Accesses, uint64_t Block, int Nodes,
         uint32_t FirstParallel);

  Prediction predict(const Placement &) const;
  /// The misses of the run for the least.
  std::vector<Missed> misses(const Placement &) const;

  const std::vector<Access> &accesses() const { return All; }
  /// Largest block that makes a difference.
  uint64_t largestBlock() const { return Largest; }

private:
  class Run;
  std::vector<Access> All;
  uint64_t Recorded, Largest;
  int Nodes;
  uint32_t FirstParallel;
};

} // namespace graupel::dsm

#endif
