//===- HotCold/FlowPrediction.cpp - Prediction of one-way flow ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Edges get the profile's probabilities (withProbabilities).
// 2. The hot version's counts solve a linear system, sweep by sweep in reverse
//    post-order; what comes back to loop headers is extrapolated (settle).
// 3. Flow out of hot blocks enters the cold version, which is solved likewise.
//
//===----------------------------------------------------------------------===//

#include "FlowPrediction.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>

using namespace llvm;
using namespace graupel;

namespace {

constexpr unsigned MaxSweeps = 5000;
constexpr double Tolerance = 1e-6;
/// As a fraction of the flow through a loop's header: nothing leaves a loop if
/// more comes back.
constexpr double MaxShare = 1 - 1e-9;
/// Maximum number of sweeps that find such a loop.
constexpr unsigned MaxEndless = 100;

struct Edge {
  uint32_t To;
  double Probability;
};
using Graph = std::vector<std::vector<Edge>>;

Graph withProbabilities(ArrayRef<FlowBlock> Blocks) {
  Graph G(Blocks.size());
  for (size_t I = 0; I < Blocks.size(); ++I) {
    const FlowBlock &B = Blocks[I];
    const double Sum = std::accumulate(B.Counts.begin(), B.Counts.end(), 0.0);
    for (size_t S = 0; S < B.Successors.size(); ++S)
      G[I].push_back({B.Successors[S],
                      Sum > 0 ? B.Counts[S] / Sum : 1.0 / B.Successors.size()});
  }
  return G;
}

std::vector<uint32_t> reversePostOrder(const Graph &G) {
  std::vector<uint32_t> Order;
  std::vector<bool> Seen(G.size());
  std::vector<std::pair<uint32_t, size_t>> Path;
  for (uint32_t Root = 0; Root < G.size(); ++Root) {
    if (Seen[Root])
      continue;
    Seen[Root] = true;
    Path.push_back({Root, 0});
    while (!Path.empty()) {
      const uint32_t Block = Path.back().first;
      if (Path.back().second == G[Block].size()) {
        Order.push_back(Block);
        Path.pop_back();
        continue;
      }
      const uint32_t Next = G[Block][Path.back().second++].To;
      if (!Seen[Next]) {
        Seen[Next] = true;
        Path.push_back({Next, 0});
      }
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

/// Edges by the block that they lead to, one block behind the other.
struct IncomingEdges {
  std::vector<Edge> Edges; ///< To is the source block.
  std::vector<size_t> First;

  IncomingEdges(const Graph &G, const std::vector<bool> &Member)
      : First(G.size() + 1) {
    auto forEach = [&](auto Visit) {
      for (uint32_t From = 0; From < G.size(); ++From)
        if (Member[From])
          for (const Edge &E : G[From])
            if (Member[E.To])
              Visit(From, E);
    };
    forEach([&](uint32_t, const Edge &E) { ++First[E.To + 1]; });
    std::partial_sum(First.begin(), First.end(), First.begin());
    Edges.resize(First.back());
    std::vector<size_t> Next(First.begin(), First.end() - 1);
    forEach([&](uint32_t From, const Edge &E) {
      Edges[Next[E.To]++] = {From, E.Probability};
    });
  }
  ArrayRef<Edge> into(uint32_t Block) const {
    return ArrayRef<Edge>(Edges).slice(First[Block],
                                       First[Block + 1] - First[Block]);
  }
};

/// A block that edges lead back to. Estimates the share of additional flow
/// through it that comes back (the cyclic probability of Wu and Larus 1994),
/// from the flow that came back in two sweeps.
class Header {
public:
  /// The block's count, when \p Count of it has made \p Back come back, and
  /// \p Sum comes from elsewhere. Whatever the share is, nothing changes any
  /// more when \p Count is \p Sum and \p Back together.
  double next(double Count, double Back, double Sum) {
    if (std::abs(Count - LastCount) > 1e-9 * std::abs(Count))
      Share = (Back - LastBack) / (Count - LastCount);
    LastCount = Count;
    LastBack = Back;
    const bool IsShare = Share > 0 && Share < MaxShare;
    return IsShare ? (Sum + Back - Share * Count) / (1 - Share) : Sum + Back;
  }
  /// All of it comes back.
  bool isEndless() const { return Share >= MaxShare; }

private:
  double LastCount = 0, LastBack = 0, Share = 0;
};

/// Solves Count = Source + flow along the edges inside Member, sweep by sweep.
/// Summing up a loop's rounds one by one would take thousands of sweeps. False
/// if that does not settle.
bool settle(const Graph &G, ArrayRef<uint32_t> WholeOrder,
            const std::vector<bool> &Member, ArrayRef<double> Source,
            std::vector<double> &Count) {
  const double Scale = std::accumulate(Source.begin(), Source.end(), 0.0);
  Count.assign(G.size(), 0);
  if (Scale == 0)
    return true;
  const IncomingEdges Incoming(G, Member);
  std::vector<uint32_t> Order, Position(G.size());
  for (uint32_t Block : WholeOrder)
    if (Member[Block]) {
      Position[Block] = Order.size();
      Order.push_back(Block);
    }
  std::vector<Header> Headers(G.size());
  unsigned Endless = 0;
  for (unsigned Sweep = 0; Sweep < MaxSweeps && Endless < MaxEndless; ++Sweep) {
    double Change = 0;
    bool IsEndless = false;
    for (uint32_t Block : Order) {
      double Sum = Source[Block], Back = 0;
      for (const Edge &E : Incoming.into(Block))
        (Position[E.To] < Position[Block] ? Sum : Back) +=
            Count[E.To] * E.Probability;
      if (Back > 0) {
        Sum = std::max(0.0, Headers[Block].next(Count[Block], Back, Sum));
        IsEndless |= Headers[Block].isEndless();
      }
      Change =
          std::max(Change, std::abs(Sum - Count[Block]) / std::max(Scale, Sum));
      Count[Block] = Sum;
    }
    if (Change < Tolerance)
      return true;
    Endless += IsEndless;
  }
  return false;
}

} // namespace

std::optional<VersionCounts> graupel::predictFlow(ArrayRef<FlowBlock> Blocks) {
  const Graph G = withProbabilities(Blocks);
  const std::vector<uint32_t> Order = reversePostOrder(G);
  std::vector<bool> Hot, Cold(Blocks.size(), true);
  std::vector<double> HotSource(Blocks.size()), ColdSource(Blocks.size());
  for (const FlowBlock &B : Blocks) {
    (B.Hot ? HotSource : ColdSource)[Hot.size()] = B.Entries;
    Hot.push_back(B.Hot);
  }
  VersionCounts Result;
  if (!settle(G, Order, Hot, HotSource, Result.Hot))
    return std::nullopt;
  for (uint32_t From = 0; From < Blocks.size(); ++From)
    if (Hot[From])
      for (const Edge &E : G[From])
        if (!Hot[E.To])
          ColdSource[E.To] += Result.Hot[From] * E.Probability;
  if (!settle(G, Order, Cold, ColdSource, Result.Cold))
    return std::nullopt;
  return Result;
}
