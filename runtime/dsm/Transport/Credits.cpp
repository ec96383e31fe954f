//===- Credits.cpp - Limits of messages under way -------------------------===//
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

namespace {

constexpr unsigned LeastWindow = 16, MostWindow = 4096;

/// The window for so many transactions, while a quarter of it is not
/// acknowledged.
constexpr unsigned windowOf(unsigned Transactions) {
  return Transactions + Transactions / 3 + 1;
}
constexpr unsigned MostTransactions = MostWindow / 4 * 3 - 1;
static_assert(windowOf(MostTransactions) <= MostWindow);

} // namespace

unsigned Credits::defaultWindow(int Nodes, int RequestsPerNode) {
  unsigned Window = windowOf(unsigned(Nodes) * unsigned(RequestsPerNode));
  return std::bit_ceil(std::clamp(Window, LeastWindow, MostWindow));
}

unsigned Credits::requestsPerThread(int Nodes, int ThreadsPerNode,
                                    unsigned Most) {
  unsigned Threads = unsigned(Nodes) * unsigned(ThreadsPerNode);
  return std::clamp(MostTransactions / Threads, 1u, Most);
}
