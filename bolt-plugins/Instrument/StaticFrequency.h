//===- Instrument/StaticFrequency.h - Estimates frequencies -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_STATICFREQUENCY_H
#define GRAUPEL_INSTRUMENT_STATICFREQUENCY_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace graupel {

/// The properties of a block that are known without running it.
struct StaticBlock {
  struct Successor {
    uint32_t To;
    /// Comes next in the file. Compilers put there what they think likely.
    bool FallsThrough = false;
  };
  std::vector<Successor> Successors;
  bool IsEntry = false;
  bool Returns = false;
};

struct StaticFrequencies {
  /// Executions of each block for one of the function.
  std::vector<double> Blocks;
  /// The probability of each successor of each block, in order.
  std::vector<std::vector<double>> Probabilities;
};

/// Estimates frequencies by the heuristics of Ball and Larus (Branch prediction
/// for free, 1993), combined as by Wu and Larus (Static branch frequency and
/// program profile analysis, 1994). Loops are found in one traversal (Wei, Mao,
/// Zou, Chen: A new algorithm for identifying loops in decompilation, 2007), for
/// which no dominators are needed: on large programs these took most of the time.
StaticFrequencies estimateFrequencies(llvm::ArrayRef<StaticBlock> Blocks);

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_STATICFREQUENCY_H
