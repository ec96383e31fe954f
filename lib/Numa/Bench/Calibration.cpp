//===- Numa/Bench/Calibration.cpp - Whether processors have moved -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibration.h"
#include <algorithm>

namespace graupel::numa::bench {

using Pair = std::pair<unsigned, unsigned>;

bool differs(double A, double B) { return std::max(A, B) > 1.3 * std::min(A, B); }

/// Of many sharers the nearest and the farthest.
static std::vector<Pair> pairsOf(const Case &C) {
  std::vector<Pair> Found;
  if (C.Remote.empty() || C.What == Kernel::Load ||
      C.What == Kernel::LoadedRead)
    return Found;
  Found.emplace_back(C.Local[0], C.Remote.front());
  if (C.Remote.size() > 1)
    Found.emplace_back(C.Local[0], C.Remote.back());
  return Found;
}

bool Calibration::holds(const Case &C) {
  bool Same = true;
  for (Pair P : pairsOf(C)) {
    double Now = M.transfer(P.first, P.second);
    auto [At, New] = Pairs.try_emplace(P, PairRecord{Now, Now, Now, Now});
    PairRecord &R = At->second;
    bool Changed = !New && differs(R.Last, Now);
    Same &= !Changed;
    R = {R.First, Now, std::min(R.Least, Now), std::max(R.Most, Now),
         R.Times + 1, R.Changes + Changed};
  }
  return Same;
}

double Calibration::current(const Case &C) const {
  auto P = pairsOf(C);
  auto At = P.empty() ? Pairs.end() : Pairs.find(P[0]);
  return At == Pairs.end() ? 0 : At->second.Last;
}

} // namespace graupel::numa::bench
