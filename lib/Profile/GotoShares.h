//===- Profile/GotoShares.h - Counts of computed gotos ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_GOTOSHARES_H
#define GRAUPEL_PROFILE_GOTOSHARES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace graupel {

/// Shares out \p Supply, how often each jump was executed, over \p Demand, how
/// often each label was entered. Row J of the result sums up to Supply[J] and
/// column L to Demand[L], as far as both have the same sum: what one of them has
/// more is left out. The shares are as if each jump led to each label equally
/// often, up to rounding.
std::vector<std::vector<uint64_t>> shareOut(llvm::ArrayRef<uint64_t> Supply,
                                            llvm::ArrayRef<uint64_t> Demand);

} // namespace graupel

#endif // GRAUPEL_PROFILE_GOTOSHARES_H
