//===- Place/ClosestIsBest.cpp - Callers next to callees ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each part is a list of its own. Add up parallel edges, ignore direction.
// 2. Take the heaviest edge between two lists; join them in that one of the
//    four orientations that brings the ends of the heaviest original edge
//    closest; add up the weights of their common neighbors. Repeat.
// 3. Order the lists that remain by density.
//
//===----------------------------------------------------------------------===//

#include "ClosestIsBest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <queue>
#include <tuple>

using namespace graupel;

namespace {

/// All edges between two lists: their sum decides what is merged, the heaviest
/// one decides the orientation.
struct Bundle {
  uint64_t Weight = 0;
  uint64_t HeaviestWeight = 0;
  uint32_t HeaviestA = 0, HeaviestB = 0;

  void add(const Bundle &Other) {
    Weight += Other.Weight;
    if (Other.HeaviestWeight > HeaviestWeight) {
      HeaviestWeight = Other.HeaviestWeight;
      HeaviestA = Other.HeaviestA;
      HeaviestB = Other.HeaviestB;
    }
  }
};

struct Candidate {
  uint64_t Weight;
  uint32_t A, B;

  bool operator<(const Candidate &Other) const {
    return std::make_tuple(Weight, Other.A, Other.B) <
           std::make_tuple(Other.Weight, A, B);
  }
};

class Merger {
public:
  explicit Merger(const ReferenceGraph &Graph)
      : Graph(Graph), Lists(Graph.Parts.size()), ListOf(Graph.Parts.size()),
        Neighbors(Graph.Parts.size()) {
    for (uint32_t Part = 0; Part < Graph.Parts.size(); ++Part) {
      Lists[Part] = {Part};
      ListOf[Part] = Part;
    }
    for (const ReferenceGraph::Edge &Edge : Graph.Edges)
      if (Edge.Source != Edge.Target && Edge.Count) {
        const Bundle Single{Edge.Count, Edge.Count, Edge.Source, Edge.Target};
        Neighbors[Edge.Source][Edge.Target].add(Single);
        Neighbors[Edge.Target][Edge.Source].add(Single);
      }
  }

  std::vector<uint32_t> run() {
    for (uint32_t A = 0; A < Neighbors.size(); ++A)
      for (const auto &[B, Edges] : Neighbors[A])
        if (A < B)
          Queue.push({Edges.Weight, A, B});
    while (!Queue.empty()) {
      const Candidate Best = Queue.top();
      Queue.pop();
      // An entry is stale if one of its lists was merged or its weight grew.
      auto It = Neighbors[Best.A].find(Best.B);
      if (It != Neighbors[Best.A].end() && It->second.Weight == Best.Weight)
        merge(Best.A, Best.B, It->second);
    }
    return byDensity();
  }

private:
  const ReferenceGraph &Graph;
  std::vector<std::vector<uint32_t>> Lists;
  std::vector<uint32_t> ListOf;
  std::vector<std::map<uint32_t, Bundle>> Neighbors;
  std::priority_queue<Candidate> Queue;

  /// Bytes before the middle of \p Part in \p List, and after it.
  std::pair<uint64_t, uint64_t> around(llvm::ArrayRef<uint32_t> List,
                                       uint32_t Part) const {
    uint64_t Before = 0, After = 0;
    bool Seen = false;
    for (uint32_t Other : List) {
      if (Other == Part)
        Seen = true;
      else
        (Seen ? After : Before) += Graph.Parts[Other].Size;
    }
    return {Before, After};
  }

  void merge(uint32_t A, uint32_t B, const Bundle &Edges) {
    uint32_t InA = Edges.HeaviestA, InB = Edges.HeaviestB;
    if (ListOf[InA] != A)
      std::swap(InA, InB);
    auto [BeforeA, AfterA] = around(Lists[A], InA);
    auto [BeforeB, AfterB] = around(Lists[B], InB);
    // The end of A that touches B is the one nearer to the edge, and so for B.
    // Ties keep the original order.
    if (BeforeA < AfterA)
      std::reverse(Lists[A].begin(), Lists[A].end());
    if (AfterB < BeforeB)
      std::reverse(Lists[B].begin(), Lists[B].end());
    absorb(A, B);
  }

  /// Appends list \p B to list \p A. The smaller neighborhood is moved.
  void absorb(uint32_t A, uint32_t B) {
    std::vector<uint32_t> Joined = std::move(Lists[A]);
    llvm::append_range(Joined, Lists[B]);
    Lists[A].clear();
    Lists[B].clear();
    if (Neighbors[A].size() < Neighbors[B].size())
      std::swap(A, B);
    for (uint32_t Part : Joined)
      ListOf[Part] = A;
    Lists[A] = std::move(Joined);

    Neighbors[A].erase(B);
    Neighbors[B].erase(A);
    for (const auto &[Other, Edges] : Neighbors[B]) {
      Neighbors[Other].erase(B);
      Bundle &Sum = Neighbors[A][Other];
      Sum.add(Edges);
      Neighbors[Other][A] = Sum;
      Queue.push({Sum.Weight, std::min(A, Other), std::max(A, Other)});
    }
    Neighbors[B].clear();
  }

  std::vector<uint32_t> byDensity() {
    struct Ranked {
      double Density;
      uint32_t First;
      const std::vector<uint32_t> *List;
    };
    std::vector<Ranked> Order;
    for (const std::vector<uint32_t> &List : Lists) {
      if (List.empty())
        continue;
      double Size = 0, Count = 0;
      for (uint32_t Part : List) {
        Size += Graph.Parts[Part].Size;
        Count += Graph.Parts[Part].Count;
      }
      Order.push_back({Count / std::max(Size, 1.0),
                       *std::min_element(List.begin(), List.end()), &List});
    }
    llvm::sort(Order, [](const Ranked &A, const Ranked &B) {
      return std::make_tuple(-A.Density, A.First) <
             std::make_tuple(-B.Density, B.First);
    });
    std::vector<uint32_t> Parts;
    for (const Ranked &Entry : Order)
      llvm::append_range(Parts, *Entry.List);
    return Parts;
  }
};

} // namespace

std::vector<uint32_t> graupel::placeClosestIsBest(const ReferenceGraph &Graph) {
  return Merger(Graph).run();
}
