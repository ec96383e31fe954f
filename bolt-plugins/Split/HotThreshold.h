//===- Split/HotThreshold.h - Which counts are cold -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One threshold for the whole program decides which blocks are cold (Cohn,
// Goodwin, Lowney 1997, "Procedure Splitting"): the blocks executed least that
// together hold at most a given share of all executed instructions.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SPLIT_HOTTHRESHOLD_H
#define GRAUPEL_SPLIT_HOTTHRESHOLD_H

#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>

namespace graupel {

/// The share of a program's execution at or below each block count.
///
/// Feed it every block of the program, then ask for thresholds.
class CountDistribution {
public:
  /// Adds a block of \p Instructions instructions executed \p Count times.
  void add(uint64_t Count, uint64_t Instructions);

  /// The largest count such that all blocks executed that often or less hold
  /// at most \p Share (0 to 1) of the executed instructions. Blocks that were
  /// never executed are always within it, so the answer is at least 0.
  uint64_t coldThreshold(double Share) const;

  /// Instructions executed in blocks with a count of at most \p Count.
  uint64_t executedAtMost(uint64_t Count) const;
  /// Instructions executed in all blocks.
  uint64_t executed() const { return Executed; }

  /// "threshold 17: 0.98 % of 123456 executed instructions are cold".
  void print(llvm::raw_ostream &OS, uint64_t Threshold) const;

private:
  std::map<uint64_t, uint64_t> InstructionsByCount;
  uint64_t Executed = 0;
};

} // namespace graupel

#endif // GRAUPEL_SPLIT_HOTTHRESHOLD_H
