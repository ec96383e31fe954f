//===- Instrument/StaticFrequency.cpp - How often blocks probably run -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StaticFrequency.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

// Chosen by the number of counters that SQLite, Lua, zstd and Perl execute;
// docs/design/instrumentation.md. Ball and Larus's call heuristic did not help.
constexpr double DeadEnd = 0.002;
constexpr double StaysInLoop = 0.8;
constexpr double NextInFile = 0.6;
constexpr double LeadsToReturn = 0.4;
constexpr double MaxFrequency = 1e9;

bool isDeadEnd(const StaticBlock &B) {
  return B.Successors.empty() && !B.Returns;
}

/// The probability that both pieces of evidence, for one of two ways, give.
double combine(double A, double B) {
  return A * B / (A * B + (1 - A) * (1 - B));
}

/// Of the first of two successors.
double probability(ArrayRef<StaticBlock> Blocks, const StaticBlock &From) {
  const StaticBlock::Successor &A = From.Successors[0], &B = From.Successors[1];
  const StaticBlock &ToA = Blocks[A.To], &ToB = Blocks[B.To];
  double P = 0.5;
  auto weigh = [&](bool ForA, bool ForB, double Likely) {
    if (ForA != ForB)
      P = combine(P, ForA ? Likely : 1 - Likely);
  };
  weigh(isDeadEnd(ToA), isDeadEnd(ToB), DeadEnd);
  weigh(!A.LeavesLoop, !B.LeavesLoop, StaysInLoop);
  weigh(A.FallsThrough, B.FallsThrough, NextInFile);
  weigh(ToA.Returns, ToB.Returns, LeadsToReturn);
  return P;
}

std::vector<double> probabilities(ArrayRef<StaticBlock> Blocks,
                                  const StaticBlock &From) {
  const size_t N = From.Successors.size();
  if (N == 2) {
    const double P = probability(Blocks, From);
    return {P, 1 - P};
  }
  return std::vector<double>(N, N ? 1.0 / N : 0);
}

/// Blocks so that, but for loops, each comes after its predecessors.
std::vector<uint32_t> reversePostOrder(ArrayRef<StaticBlock> Blocks) {
  std::vector<uint32_t> Order;
  std::vector<bool> Seen(Blocks.size());
  std::vector<std::pair<uint32_t, size_t>> Path;
  auto visit = [&](uint32_t Block) {
    if (Seen[Block])
      return;
    Seen[Block] = true;
    Path.push_back({Block, 0});
  };
  for (uint32_t Root = Blocks.size(); Root--;) {
    visit(Root);
    while (!Path.empty()) {
      auto &[Block, Next] = Path.back();
      if (Next < Blocks[Block].Successors.size()) {
        visit(Blocks[Block].Successors[Next++].To);
        continue;
      }
      Order.push_back(Block);
      Path.pop_back();
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

} // namespace

StaticFrequencies graupel::estimateFrequencies(ArrayRef<StaticBlock> Blocks) {
  StaticFrequencies Result;
  Result.Blocks.assign(Blocks.size(), 0);
  for (uint32_t I = 0; I < Blocks.size(); ++I) {
    Result.Probabilities.push_back(probabilities(Blocks, Blocks[I]));
    if (Blocks[I].IsEntry)
      Result.Blocks[I] = 1;
  }
  for (uint32_t I : reversePostOrder(Blocks)) {
    double &Frequency = Result.Blocks[I];
    // What comes back into the loop is not known yet; it is as if it were taken
    // to run for as long as its branch says.
    if (Blocks[I].IsLoopHeader)
      Frequency /= 1 - StaysInLoop;
    Frequency = std::min(Frequency, MaxFrequency);
    const auto &Successors = Blocks[I].Successors;
    for (size_t S = 0; S < Successors.size(); ++S)
      if (!Blocks[Successors[S].To].IsEntry)
        Result.Blocks[Successors[S].To] +=
            Frequency * Result.Probabilities[I][S];
  }
  return Result;
}
