//===- Split/SplitOutcome.h - Why functions are not split -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SPLIT_SPLITOUTCOME_H
#define GRAUPEL_SPLIT_SPLITOUTCOME_H

#include <array>
#include <cstdint>

namespace graupel {

enum class SplitOutcome { Split, AllHot, AllCold, NotSmaller };

/// "split", "not split: all blocks hot", ...
const char *explain(SplitOutcome O);

/// Functions by outcome.
using SplitTally = std::array<uint64_t, 4>;

/// The decisions of the splitting pass in this process; all zero if it has not
/// run.
SplitTally &splitTally();

} // namespace graupel

#endif // GRAUPEL_SPLIT_SPLITOUTCOME_H
