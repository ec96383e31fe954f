//===- Numa/Placement/Sets.cpp - Nodes for a set of domains ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches nodes for the domains of a set.
//
// 1. Search takes the nodes with memory. If there are more domains than nodes,
//    each may have several, equally many.
// 2. cost adds the steps between pairs of domains, of a cube between neighbors
//    only; the steps to `Near`; and the domains that nodes have already. A set
//    without room costs more than any steps.
// 3. If there are few tuples of nodes, tryAll considers all of them.
// 4. Otherwise greedy begins with each node in turn, and puts each further
//    domain where it costs least. exchange then exchanges two domains or moves
//    one, while that helps.
// 5. placeSet tells whether the best tuple has room (hasRoom), and whether a
//    cube's neighbors are at most as far apart as others.
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include <algorithm>
#include <bit>

using namespace graupel::numa;

namespace {
class Search {
public:
  Search(const Topology &T, const SetWish &Wish);
  std::vector<unsigned> run();

private:
  using Tuple = std::vector<unsigned>;
  double pair(size_t A, size_t B, unsigned NodeA, unsigned NodeB) const;
  double alone(unsigned Node) const;
  double cost(const Tuple &Centers) const;
  bool few() const;
  void tryAll(Tuple &Centers, std::vector<unsigned> &Used);
  void greedy();
  void exchange();
  void consider(const Tuple &Centers);

  static constexpr double MaxTuples = 1e5;
  /// Outweighs any sum of steps: domains have to have their memory.
  static constexpr double NoRoom = 1e9;

  const Topology &T;
  const SetWish &Wish;
  std::vector<unsigned> Candidates; ///< Nodes with memory.
  unsigned PerNode;                 ///< Domains a node may have.
  Tuple Best;
  double BestCost = 0;
};
} // namespace

Search::Search(const Topology &T, const SetWish &Wish)
    : T(T), Wish(Wish), Candidates(T.nodesWithMemory()),
      PerNode(unsigned((Wish.Domains.size() + Candidates.size() - 1) /
                       Candidates.size())) {}

double Search::pair(size_t A, size_t B, unsigned NodeA, unsigned NodeB) const {
  if (Wish.Wanted == Shape::Cube && !std::has_single_bit(A ^ B))
    return 0;
  return T.classes().at(NodeA, NodeB) + T.classes().at(NodeB, NodeA);
}

double Search::alone(unsigned Node) const {
  double Sum = 0;
  for (unsigned To : Wish.Near)
    Sum += 2 * T.classes().at(Node, To);
  // A step is worth as much as two domains that share a node.
  if (!Wish.Placed.empty())
    Sum += Wish.Placed[Node];
  return Sum;
}

double Search::cost(const Tuple &Centers) const {
  double Sum = hasRoom(T, Wish, Centers) ? 0 : NoRoom;
  for (size_t A = 0; A < Centers.size(); ++A) {
    Sum += alone(Centers[A]);
    for (size_t B = 0; B < A; ++B)
      Sum += pair(A, B, Centers[A], Centers[B]);
  }
  return Sum;
}

void Search::consider(const Tuple &Centers) {
  double Cost = cost(Centers);
  if (Best.empty() || Cost < BestCost) {
    Best = Centers;
    BestCost = Cost;
  }
}

bool Search::few() const {
  double Tuples = 1;
  for (size_t D = 0; D < Wish.Domains.size() && Tuples <= MaxTuples; ++D)
    Tuples *= double(Candidates.size()) - (PerNode == 1 ? double(D) : 0);
  return Tuples <= MaxTuples;
}

void Search::tryAll(Tuple &Centers, std::vector<unsigned> &Used) {
  if (Centers.size() == Wish.Domains.size())
    return consider(Centers);
  for (unsigned Node : Candidates) {
    if (Used[Node] == PerNode)
      continue;
    ++Used[Node];
    Centers.push_back(Node);
    tryAll(Centers, Used);
    Centers.pop_back();
    --Used[Node];
  }
}

/// From each node as the first domain's: the others one by one, each where it
/// costs least.
void Search::greedy() {
  for (unsigned First : Candidates) {
    Tuple Centers = {First};
    std::vector<unsigned> Used(T.Nodes.size());
    ++Used[First];
    while (Centers.size() < Wish.Domains.size()) {
      int Choice = -1;
      double Least = 0;
      for (unsigned Node : Candidates) {
        if (Used[Node] == PerNode)
          continue;
        double Cost = alone(Node);
        for (size_t D = 0; D < Centers.size(); ++D)
          Cost += pair(Centers.size(), D, Node, Centers[D]);
        if (Choice < 0 || Cost < Least) {
          Choice = int(Node);
          Least = Cost;
        }
      }
      ++Used[size_t(Choice)];
      Centers.push_back(unsigned(Choice));
    }
    consider(Centers);
  }
}

/// Exchanges two domains, or moves one to a node with room, while that helps.
void Search::exchange() {
  for (bool Better = true; Better;) {
    double Before = BestCost;
    Tuple Start = Best;
    for (size_t A = 0; A < Start.size(); ++A) {
      for (size_t B = 0; B < A; ++B) {
        Tuple Other = Start;
        std::swap(Other[A], Other[B]);
        consider(Other);
      }
      for (unsigned Node : Candidates) {
        Tuple Other = Start;
        Other[A] = Node;
        if (std::count(Other.begin(), Other.end(), Node) <= long(PerNode))
          consider(Other);
      }
    }
    Better = BestCost < Before;
  }
}

std::vector<unsigned> Search::run() {
  if (Wish.Domains.empty())
    return {};
  if (few()) {
    Tuple Centers;
    std::vector<unsigned> Used(T.Nodes.size());
    tryAll(Centers, Used);
  } else {
    greedy();
    exchange();
  }
  return Best;
}

bool graupel::numa::hasRoom(const Topology &T, const SetWish &Wish,
                            const std::vector<unsigned> &Centers) {
  if (Wish.FreeBytes.empty())
    return true;
  std::vector<uint64_t> Free = Wish.FreeBytes;
  for (size_t D = 0; D < Centers.size(); ++D) {
    uint64_t Needed = Wish.Domains[D].Bytes;
    for (unsigned Node : T.within(Centers[D], Wish.Domains[D].Radius)) {
      uint64_t Here = std::min(Needed, Free[Node]);
      Needed -= Here;
      Free[Node] -= Here;
    }
    if (Needed)
      return false;
  }
  return true;
}

SetPlace graupel::numa::placeSet(const Topology &T, const SetWish &Wish) {
  SetPlace Place;
  Place.Centers = Search(T, Wish).run();
  Place.HasRoom = hasRoom(T, Wish, Place.Centers);
  double Edge = 0, Diagonal = T.vertices();
  for (size_t A = 0; A < Place.Centers.size(); ++A)
    for (size_t B = 0; B < A; ++B) {
      double Steps = T.classes().at(Place.Centers[A], Place.Centers[B]);
      if (std::has_single_bit(A ^ B))
        Edge = std::max(Edge, Steps);
      else
        Diagonal = std::min(Diagonal, Steps);
    }
  Place.HasShape = Wish.Wanted != Shape::Cube || Edge <= Diagonal;
  return Place;
}
