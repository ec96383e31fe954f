//===- Numa/Bench/Calibration.cpp - Have processors moved? ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibration.h"
#include "Statistics.h"
#include <algorithm>

namespace graupel::numa::bench {

using Pair = std::pair<unsigned, unsigned>;

/// The nearest and the farthest of many sharers.
static std::vector<Pair> pairsOf(const Case &C) {
  std::vector<Pair> Found;
  if (C.Remote.empty() || C.TimedKernel == Kernel::Load ||
      C.TimedKernel == Kernel::LoadedRead)
    return Found;
  Found.emplace_back(C.Local[0], C.Remote.front());
  if (C.Remote.size() > 1)
    Found.emplace_back(C.Local[0], C.Remote.back());
  return Found;
}

bool Calibration::see(Pair P) {
  double Now = M.transfer(P.first, P.second);
  auto [At, New] = Pairs.try_emplace(P);
  PairRecord &R = At->second;
  if (New)
    R.First = R.Last = R.Least = R.Most = Now;
  bool Changed = differs(R.Last, Now);
  R.Last = Now;
  R.Least = std::min(R.Least, Now);
  R.Most = std::max(R.Most, Now);
  ++R.Times;
  R.Changes += Changed;
  R.When = std::chrono::steady_clock::now();
  return !Changed;
}

void Calibration::look(const Case &C) {
  using namespace std::chrono_literals;
  const auto Now = std::chrono::steady_clock::now();
  for (Pair P : pairsOf(C)) {
    auto At = Pairs.find(P);
    if (At == Pairs.end() || Now - At->second.When > 5ms)
      see(P);
  }
}

bool Calibration::holds(const Case &C) {
  bool Same = true;
  for (Pair P : pairsOf(C))
    Same &= see(P);
  return Same;
}

double Calibration::current(const Case &C) const {
  auto P = pairsOf(C);
  auto At = P.empty() ? Pairs.end() : Pairs.find(P[0]);
  return At == Pairs.end() ? 0 : At->second.Last;
}

} // namespace graupel::numa::bench
