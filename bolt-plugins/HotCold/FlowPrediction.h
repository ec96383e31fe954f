//===- HotCold/FlowPrediction.h - Prediction of one-way flow ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_FLOWPREDICTION_H
#define GRAUPEL_HOTCOLD_FLOWPREDICTION_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel {

/// A block of the original procedure, with its profile.
struct FlowBlock {
  std::vector<uint32_t> Successors;
  /// Parallel to Successors.
  std::vector<uint64_t> Counts;
  /// Number of times that control comes from outside.
  uint64_t Entries = 0;
  /// The block has a copy in the hot version.
  bool Hot = false;
};

/// Execution counts of blocks in the hot and in the cold version.
struct VersionCounts {
  std::vector<double> Hot;
  std::vector<double> Cold;
};

/// Control enters hot blocks in the hot version and never comes back from the
/// cold one, whose edges have the same probabilities: one rare event in a loop
/// makes all its other iterations cold. Nothing is returned if the equations
/// cannot be solved with reasonable effort.
std::optional<VersionCounts> predictFlow(llvm::ArrayRef<FlowBlock> Blocks);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_FLOWPREDICTION_H
