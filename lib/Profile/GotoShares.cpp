//===- Profile/GotoShares.cpp - Counts of computed gotos ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GotoShares.h"
#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace graupel;

using Wide = unsigned __int128;

static Wide sum(ArrayRef<uint64_t> Counts) {
  return std::accumulate(Counts.begin(), Counts.end(), Wide(0));
}

std::vector<std::vector<uint64_t>>
graupel::shareOut(ArrayRef<uint64_t> Supply, ArrayRef<uint64_t> Demand) {
  std::vector<std::vector<uint64_t>> Shares(
      Supply.size(), std::vector<uint64_t>(Demand.size()));
  std::vector<uint64_t> Left = Supply.vec(), Missing = Demand.vec();
  auto give = [&](size_t Jump, size_t Label, uint64_t Count) {
    Count = std::min({Count, Left[Jump], Missing[Label]});
    Shares[Jump][Label] += Count;
    Left[Jump] -= Count;
    Missing[Label] -= Count;
  };
  const Wide Total = std::max(sum(Supply), sum(Demand));
  for (size_t Jump = 0; Jump < Supply.size(); ++Jump)
    for (size_t Label = 0; Label < Demand.size(); ++Label)
      if (Total)
        give(Jump, Label, Wide(Supply[Jump]) * Demand[Label] / Total);
  // Distribute the remainder that rounding has left.
  for (size_t Jump = 0; Jump < Supply.size(); ++Jump)
    for (size_t Label = 0; Label < Demand.size() && Left[Jump]; ++Label)
      give(Jump, Label, Left[Jump]);
  return Shares;
}
