//===- Numa/Bench/ByNode.cpp - From node to node --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans the experiments from node to node (Prestor 2001, 4).
//
// 1. matrix makes a table with a row for each node that has processors, and a
//    column for each node. addLatencyByNode and addBandwidthByNode fill its
//    cells with cases.
// 2. addRemoteRows adds a row for each node with processors, nearest to home
//    first: latencies, restart latencies, bandwidths.
// 3. addHopRows adds a row for each distance: the mean of all nodes that far
//    from home, and what the hop adds.
// 4. addRemote makes the four tables of steps 2 and 3.
// 5. noteMissing says in words which rows this machine cannot have.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include <algorithm>

namespace graupel::numa::bench {

static const char OneNode[] =
    "This machine, or what was chosen of it, has one node: how much farther "
    "other nodes' memory is cannot be measured, and tables by node or by hop "
    "have a row for the node itself only.";

static void noteMissing(Plan &P) {
  if (P.M.Nodes.size() == 1)
    P.note(OneNode);
  for (const NodeView &N : P.M.Nodes)
    if (N.Processors.empty())
      P.note("Node " + std::to_string(N.Id) +
             " has no processor to be measured from; its memory is measured "
             "from other nodes.");
}

/// Rows are processors' nodes, columns memories'.
template <class Function>
static PlannedTable matrix(Plan &P, const char *Name, const char *Unit,
                           const char *About, Function Measure) {
  PlannedTable T{{Name, Unit, About, {"node"}, Shape::Heat}, {}};
  for (const NodeView &N : P.M.Nodes)
    T.Columns.push_back(std::to_string(N.Id));
  for (unsigned From = 0; From < P.M.Nodes.size(); ++From) {
    if (P.M.Nodes[From].Processors.empty())
      continue;
    T.Rows.push_back({Cell::number(P.M.Nodes[From].Id)});
    for (unsigned To = 0; To < P.M.Nodes.size(); ++To)
      T.Rows.back().push_back(P.cell(Measure(From, To)));
  }
  noteMissing(P);
  return T;
}

static Case unowned(const Plan &P, Kernel K, Place At, unsigned From,
                    unsigned Home) {
  return {.TimedKernel = K,
          .From = At == Place::Range ? State::None : State::UOWN,
          .At = At,
          .Home = Home,
          .Local = P.processor(From)};
}

void addLatencyByNode(Plan &P) {
  P.Tables.push_back(
      matrix(P, "latency by node", "ns",
             "A chain of loads to lines that no cache has, at random places "
             "(lmbench-read, UOWN). Rows: the processor's node; columns: the "
             "memory's.",
             [&](unsigned From, unsigned To) {
               return unowned(P, Kernel::Read, Place::Wide, From, To);
             }));
}

void addBandwidthByNode(Plan &P) {
  P.Tables.push_back(
      matrix(P, "bandwidth by node", "MB/s",
             "All chosen processors of a node read a range larger than the "
             "caches, ascending (bwmp-read). Rows: the processors' node; "
             "columns: the memory's.",
             [&](unsigned From, unsigned To) {
               return Case{.TimedKernel = Kernel::BwmpRead,
                           .At = Place::Range,
                           .Home = To,
                           .Local = P.M.Nodes[From].Processors};
             }));
  P.Tables.push_back(
      matrix(P, "bandwidth by node, one processor", "MB/s",
             "One processor reads a range larger than the caches, ascending "
             "(bw-range).",
             [&](unsigned From, unsigned To) {
               return unowned(P, Kernel::BwRange, Place::Range, From, To);
             }));
}

// --- One home, requests from everywhere (Prestor 2001, 4).

/// Nodes with processors, as many steps from home.
static std::vector<unsigned> at(const Plan &P, unsigned Steps) {
  std::vector<unsigned> Found;
  for (unsigned N : P.M.byDistance(P.Home))
    if (P.M.Steps[P.Home][N] == Steps && !P.M.Nodes[N].Processors.empty())
      Found.push_back(N);
  return Found;
}

static std::vector<size_t> figures(Plan &P, Kernel K, Place At,
                                   const std::vector<unsigned> &Nodes) {
  std::vector<size_t> Found;
  for (unsigned N : Nodes)
    Found.push_back(P.add(unowned(P, K, At, N, P.Home)));
  return Found;
}

static void addRemoteRows(Plan &P, PlannedTable &Latency,
                          PlannedTable &Bandwidth) {
  for (unsigned N : P.M.byDistance(P.Home)) {
    if (P.M.Nodes[N].Processors.empty())
      continue;
    std::vector<Cell> Start{Cell::number(P.M.Nodes[N].Id),
                            Cell::number(P.M.Steps[P.Home][N])};
    auto Row = [&](PlannedTable &T, Kernel K, Place At) {
      T.Rows.back().push_back(P.cell(unowned(P, K, At, N, P.Home)));
    };
    Latency.Rows.push_back(Start);
    Row(Latency, Kernel::Read, Place::Wide);
    Row(Latency, Kernel::Restart, Place::Wide);
    Latency.Rows.back().push_back(
        Cell::of(Cell::Difference, figures(P, Kernel::Read, Place::Wide, {N}),
                 figures(P, Kernel::Restart, Place::Wide, {N})));
    Bandwidth.Rows.push_back(Start);
    Row(Bandwidth, Kernel::BwRead, Place::Wide);
    Row(Bandwidth, Kernel::BwRdex, Place::Wide);
    Row(Bandwidth, Kernel::BwZero, Place::Range);
  }
}

static void addHopRows(Plan &P, PlannedTable &T, Kernel K, Place At) {
  const auto Nearest = figures(P, K, At, at(P, 0));
  std::vector<size_t> Before;
  for (unsigned Hop = 0; Hop <= P.M.mostSteps(); ++Hop) {
    const auto Nodes = at(P, Hop);
    if (Nodes.empty())
      continue;
    const auto Here = figures(P, K, At, Nodes);
    T.Rows.push_back({Cell::number(Hop), Cell::number(double(Nodes.size())),
                      Cell::mean(Here)});
    if (Hop == 0) {
      T.Rows.back().resize(T.Columns.size());
    } else {
      T.Rows.back().push_back(Cell::of(Cell::Increase, Here, Nearest));
      if (T.Columns.size() > T.Rows.back().size())
        T.Rows.back().push_back(Cell::of(Cell::Difference, Here, Before));
    }
    Before = Here;
  }
}

void addRemote(Plan &P) {
  const std::string Home = std::to_string(P.M.Nodes[P.Home].Id);
  PlannedTable Latency{
      {"remote latency",
       "ns",
       "Requests from every node for unowned lines of node " + Home +
           ": back to back, until work goes on (restart), and what lies "
           "between.",
       {"node", "hops", "lmbench-read", "restart", "difference"}},
      {}};
  PlannedTable Bandwidth{
      {"remote bandwidth",
       "MB/s",
       "The same: loads and stores of lines at random places, and stores to a "
       "range that is larger than the caches, in one direction.",
       {"node", "hops", "bw-read", "bw-rdex", "bw-zero"}},
      {}};
  addRemoteRows(P, Latency, Bandwidth);
  PlannedTable ByHop{
      {"latency by hop",
       "ns",
       "Means of all nodes as far from node " + Home + ".",
       {"hops", "nodes", "lmbench-read", "increase, %", "delay of the hop"}},
      {}};
  addHopRows(P, ByHop, Kernel::Read, Place::Wide);
  PlannedTable RateByHop{{"bandwidth by hop",
                          "MB/s",
                          "Means of all nodes as far from node " + Home + ".",
                          {"hops", "nodes", "bw-read", "increase, %"}},
                         {}};
  addHopRows(P, RateByHop, Kernel::BwRead, Place::Wide);
  for (PlannedTable *T : {&Latency, &Bandwidth, &ByHop, &RateByHop})
    P.Tables.push_back(std::move(*T));
  noteMissing(P);
}

} // namespace graupel::numa::bench
