//===- Numa/Plan/Choice.h - Placements for pages of data ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_CHOICE_H
#define GRAUPEL_NUMA_PLAN_CHOICE_H

#include "Numa/Topology/Topology.h"
#include "Traffic.h"

namespace graupel::numa {

/// One way to place all pages of an object. Nodes are indices.
struct Choice {
  enum Kind {
    FirstTouch, ///< The placement without a plan.
    On,
    Block,
    RoundRobin,
    Interleave,
    Replicate
  } Policy = FirstTouch;
  std::vector<unsigned> Nodes;
  std::vector<unsigned> Weights; ///< For RoundRobin.
  uint64_t UnitPages = 1;        ///< For RoundRobin.

  /// As a fraction of the object's traffic, the saving that makes it better
  /// than a plainer one: a sample's pages have owners by chance.
  double margin() const {
    return Policy == RoundRobin && Weights[0] > 1 ? 0.05 : 0.01;
  }
  /// Words of a placement file, as "block over nodes 0-3".
  std::string text(const Topology &T) const;
};

/// The effect of a choice.
struct Outcome {
  std::vector<double> Served; ///< Bytes that a node's memory is asked for.
  std::vector<double> Held;   ///< Bytes of pages on it.
  double Remote = 0; ///< Bytes that another node's memory is asked for.
  double Far = 0; ///< These, by how much farther that memory is than the own.
};

/// Threads on nodes, and traffic of an object's pages: by node, not by thread.
class Demand {
public:
  Demand(const Topology &T, const std::vector<unsigned> &ThreadNodes,
         const DataTraffic &Data, const std::vector<PageUse> &Pages);

  Outcome outcomeOf(const Choice &C) const;
  /// Placing each page where most of its traffic is: the best without copies.
  std::vector<unsigned> bestNodes() const;
  /// Where a choice puts each page; of interleaving, pages in turn; of copies,
  /// the one that is written.
  std::vector<unsigned> nodesOf(const Choice &C) const;
  /// Choices that might suit it, the plainest first; without copies.
  std::vector<Choice> candidates() const;

  double loads() const { return AllLoads; }
  double stores() const { return AllStores; }
  double bytes() const { return AllLoads + AllStores; }
  /// Number of nodes that refer to it.
  unsigned users() const;

private:
  struct Page {
    uint64_t InBlock, BlockPages;
    unsigned First;                    ///< Node of the thread that came first.
    bool Numbered;                     ///< InBlock is known.
    std::vector<double> Loads, Stores; ///< By node.
  };
  void addPage(const PageUse &P, const std::vector<unsigned> &ThreadNodes);
  void findBlocks();
  unsigned nodeOf(const Choice &C, const Page &P) const;
  void serve(const Page &P, unsigned Home, double Part, Outcome &O) const;
  void serveCopies(const Page &P, const Choice &C, Outcome &O) const;
  void addParts(const std::vector<unsigned> &Best,
                std::vector<Choice> &To) const;
  void addRuns(const std::vector<unsigned> &Best,
               std::vector<Choice> &To) const;
  void addCycles(const std::vector<unsigned> &Best,
                 std::vector<Choice> &To) const;

  const Topology *Machine;
  bool CanBeCut; ///< Its pages have numbers in blocks.
  std::vector<Page> Pages;
  double AllLoads = 0, AllStores = 0;
};

} // namespace graupel::numa

#endif
