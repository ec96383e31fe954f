//===- Credits.cpp - Who may send how much -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Credits.h"
#include <algorithm>
#include <bit>

using namespace graupel::dsm;

bool Credits::suspectsDeadlock() const {
  return std::any_of(Peers.begin(), Peers.end(), [&](const Counters &P) {
    return P.Arrived - P.AckSent >= Window;
  });
}

unsigned Credits::defaultWindow(int Nodes, int ThreadsPerNode) {
  constexpr unsigned Least = 16, Most = 4096;
  unsigned Transactions = unsigned(Nodes) * unsigned(ThreadsPerNode);
  return std::bit_ceil(
      std::clamp(Transactions + Transactions / 3 + 1, Least, Most));
}
