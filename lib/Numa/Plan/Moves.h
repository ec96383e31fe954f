//===- Numa/Plan/Moves.h - Which pages to move now ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a program that runs (Prestor 2001, 3.3): pages follow the node that uses
// them most, beyond a threshold; pages without such a node leave nodes that
// serve more than they can; pages that move in vain again and again stay; pages
// that many nodes only read want copies.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_MOVES_H
#define GRAUPEL_NUMA_PLAN_MOVES_H

#include "Numa/Topology/Topology.h"

namespace graupel::numa {

struct RecentPage {
  int Home = -1;                     ///< Index of its node; -1: unknown.
  std::vector<double> Loads, Stores; ///< Bytes, by index of the node.
  /// Number of moves in vain; see MostVainMoves.
  unsigned Moves = 0;
  bool CanBeCopied = false;

  double use(unsigned Node) const { return Loads[Node] + Stores[Node]; }
  double bytes() const;
  /// The node that makes most of its traffic, by far; -1: there is none.
  int owner() const;
};

/// The owner's least part of a page's traffic.
constexpr double OwnersPart = 0.6;
/// A page that has moved in vain so often stays.
constexpr unsigned MostVainMoves = 8;

struct PageMove {
  size_t Page;
  unsigned To;
};

struct Moves {
  std::vector<PageMove> Pages; ///< Those that gain most first.
  std::vector<size_t> Copies;  ///< Pages that want copies.
};

/// Chooses among used pages whose home is known.
Moves chooseMoves(const Topology &T, const std::vector<RecentPage> &Pages);

} // namespace graupel::numa

#endif
