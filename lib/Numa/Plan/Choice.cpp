//===- Numa/Plan/Choice.cpp - Placements for pages of data ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the ways in which an object's pages can be placed, and the outcome of
// each.
//
// 1. Demand adds up the traffic of each page by the nodes of its threads.
//    findBlocks finds how many pages the block of each page has.
// 2. outcomeOf serves each page from the nodes where a choice puts it. It adds
//    up the bytes that nodes serve and hold, and those that are remote or far.
//    With copies, loads are served locally and stores at the page's first node.
// 3. candidates begins with the first touch, each node alone, and interleaving.
// 4. For objects that can be cut, bestNodes finds the node with most traffic
//    for each page, and byNumber the most wanted node for each page number in a
//    block.
// 5. From these addParts makes equal parts, addRuns stretches of pages with one
//    node, and addCycles the same nodes in turn.
// 6. Choice::text writes a choice as words of a placement file.
//
//===----------------------------------------------------------------------===//

#include "Choice.h"
#include "Numa/Topology/Text.h"
#include "Threads.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace graupel::numa;

Demand::Demand(const Topology &T, const std::vector<unsigned> &ThreadNodes,
               const DataTraffic &Data, const std::vector<PageUse> &From)
    : Machine(&T), CanBeCut(Data.Storage == DataTraffic::Heap ||
                            Data.Storage == DataTraffic::Global) {
  Pages.reserve(From.size());
  for (const PageUse &P : From)
    addPage(P, ThreadNodes);
  findBlocks();
}

void Demand::addPage(const PageUse &P,
                     const std::vector<unsigned> &ThreadNodes) {
  auto NodeOf = [&](unsigned Thread) {
    return Thread < ThreadNodes.size() ? ThreadNodes[Thread] : 0;
  };
  const Topology &T = *Machine;
  Page New{P.InBlock.value_or(0),
           1,
           NodeOf(P.First),
           P.InBlock.has_value(),
           std::vector<double>(T.Nodes.size()),
           std::vector<double>(T.Nodes.size())};
  for (const Use &U : P.By) {
    New.Loads[NodeOf(U.Thread)] += double(U.Loads);
    New.Stores[NodeOf(U.Thread)] += double(U.Stores);
    AllLoads += double(U.Loads);
    AllStores += double(U.Stores);
  }
  Pages.push_back(std::move(New));
}

/// Pages come by address: a block ends where the next one's page 0 is.
void Demand::findBlocks() {
  for (size_t At = 0; At < Pages.size();) {
    size_t End = At + 1;
    while (End < Pages.size() && Pages[End].InBlock > Pages[End - 1].InBlock)
      ++End;
    for (size_t N = At; N < End; ++N)
      Pages[N].BlockPages = Pages[End - 1].InBlock + 1;
    At = End;
  }
}

unsigned Demand::users() const {
  const Topology &T = *Machine;
  unsigned Users = 0;
  for (size_t N = 0; N < T.Nodes.size(); ++N)
    Users += std::any_of(Pages.begin(), Pages.end(), [&](const Page &P) {
      return P.Loads[N] + P.Stores[N] > 0;
    });
  return Users;
}

unsigned Demand::nodeOf(const Choice &C, const Page &P) const {
  switch (C.Policy) {
  case Choice::FirstTouch:
    return P.First;
  case Choice::On:
    return C.Nodes[0];
  case Choice::Block: {
    uint64_t Part = (P.BlockPages + C.Nodes.size() - 1) / C.Nodes.size();
    return C.Nodes[P.InBlock / Part % C.Nodes.size()];
  }
  default: {
    uint64_t Turn =
        std::accumulate(C.Weights.begin(), C.Weights.end(), uint64_t(0));
    uint64_t At = P.InBlock / C.UnitPages % Turn;
    size_t N = 0;
    while (At >= C.Weights[N])
      At -= C.Weights[N++];
    return C.Nodes[N];
  }
  }
}

void Demand::serve(const Page &P, unsigned Home, double Part,
                   Outcome &O) const {
  const Topology &T = *Machine;
  O.Held[Home] += PlanPageBytes * Part;
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    double Bytes = (P.Loads[N] + P.Stores[N]) * Part;
    O.Served[Home] += Bytes;
    if (N == Home)
      continue;
    O.Remote += Bytes;
    O.Far += Bytes * (distanceOf(T, N, Home) - 1);
  }
}

/// Loads are served where they are made, stores where the page itself is.
void Demand::serveCopies(const Page &P, const Choice &C, Outcome &O) const {
  const Topology &T = *Machine;
  for (unsigned N : C.Nodes)
    O.Held[N] += PlanPageBytes;
  O.Held[P.First] += PlanPageBytes;
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    O.Served[N] += P.Loads[N];
    O.Served[P.First] += P.Stores[N];
    if (N == P.First)
      continue;
    O.Remote += P.Stores[N];
    O.Far += P.Stores[N] * (distanceOf(T, N, P.First) - 1);
  }
}

Outcome Demand::outcomeOf(const Choice &C) const {
  const Topology &T = *Machine;
  Outcome O;
  O.Served.resize(T.Nodes.size());
  O.Held.resize(T.Nodes.size());
  for (const Page &P : Pages) {
    if (C.Policy == Choice::Replicate)
      serveCopies(P, C, O);
    else if (C.Policy == Choice::Interleave)
      for (unsigned N : C.Nodes)
        serve(P, N, 1.0 / double(C.Nodes.size()), O);
    else
      serve(P, nodeOf(C, P), 1, O);
  }
  return O;
}

std::vector<unsigned> Demand::bestNodes() const {
  const std::vector<unsigned> Possible = Machine->nodesWithMemory();
  std::vector<unsigned> Best;
  for (const Page &P : Pages) {
    unsigned Node = P.First;
    for (unsigned N : Possible)
      if (P.Loads[N] + P.Stores[N] >
          (P.Loads[Node] + P.Stores[Node]) * 1.000001)
        Node = N;
    Best.push_back(Node);
  }
  return Best;
}

std::vector<unsigned> Demand::nodesOf(const Choice &C) const {
  std::vector<unsigned> Nodes;
  for (size_t N = 0; N < Pages.size(); ++N)
    Nodes.push_back(C.Policy == Choice::Interleave ? C.Nodes[N % C.Nodes.size()]
                    : C.Policy == Choice::Replicate ? Pages[N].First
                                                    : nodeOf(C, Pages[N]));
  return Nodes;
}

/// For each number of a page in its block, the node that most of these pages
/// want.
static std::vector<unsigned>
byNumber(const std::vector<std::pair<uint64_t, unsigned>> &Wanted) {
  std::map<uint64_t, std::map<unsigned, unsigned>> Votes;
  for (auto [Number, Node] : Wanted)
    ++Votes[Number][Node];
  std::vector<unsigned> Nodes;
  for (const auto &[Number, PerNode] : Votes) {
    unsigned Node = PerNode.begin()->first;
    for (auto [N, Count] : PerNode)
      if (Count > PerNode.at(Node))
        Node = N;
    // Pages that nobody refers to go with the one before.
    while (Nodes.size() < Number)
      Nodes.push_back(Nodes.empty() ? Node : Nodes.back());
    Nodes.push_back(Node);
  }
  return Nodes;
}

/// Adds as many equal parts as there are nodes, each on the node that owns most
/// of it: right also if a sample is wrong about some pages.
void Demand::addParts(const std::vector<unsigned> &Best,
                      std::vector<Choice> &To) const {
  const size_t Count = Machine->Nodes.size();
  const size_t Part = (Best.size() + Count - 1) / Count;
  Choice Parts{Choice::Block, {}, {}, 1};
  for (size_t At = 0; At < Best.size(); At += Part) {
    std::vector<unsigned> Votes(Count);
    for (size_t N = At; N < std::min(At + Part, Best.size()); ++N)
      ++Votes[Best[N]];
    Parts.Nodes.push_back(
        unsigned(std::max_element(Votes.begin(), Votes.end()) - Votes.begin()));
  }
  if (Parts.Nodes.size() == Count)
    To.push_back(std::move(Parts));
}

/// Stretches of pages with the same node; equal parts are `block`, others a
/// round robin of one turn.
void Demand::addRuns(const std::vector<unsigned> &Best,
                     std::vector<Choice> &To) const {
  constexpr size_t MostRuns = 32;
  Choice Runs{Choice::RoundRobin, {}, {}, 1};
  for (unsigned Node : Best) {
    if (Runs.Nodes.empty() || Runs.Nodes.back() != Node) {
      Runs.Nodes.push_back(Node);
      Runs.Weights.push_back(0);
    }
    ++Runs.Weights.back();
  }
  if (Runs.Nodes.size() < 2)
    return;
  // Equal parts may be there already.
  if (Runs.Nodes.size() <= Machine->Nodes.size() &&
      std::none_of(To.begin(), To.end(), [&](const Choice &Other) {
        return Other.Policy == Choice::Block && Other.Nodes == Runs.Nodes;
      }))
    To.push_back({Choice::Block, Runs.Nodes, {}, 1});
  addCycles(Best, To);
  if (Runs.Nodes.size() <= MostRuns)
    To.push_back(std::move(Runs));
}

/// The same nodes in turn, again and again.
void Demand::addCycles(const std::vector<unsigned> &Best,
                       std::vector<Choice> &To) const {
  // The length of a stretch that most pages are in.
  std::map<uint64_t, uint64_t> Pages;
  for (size_t At = 0; At < Best.size();) {
    size_t End = At;
    while (End < Best.size() && Best[End] == Best[At])
      ++End;
    Pages[End - At] += End - At;
    At = End;
  }
  auto Most = std::max_element(
      Pages.begin(), Pages.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  uint64_t Unit = Most == Pages.end() ? 1 : Most->first;
  Choice Cycle{Choice::RoundRobin, {}, {}, Unit};
  for (size_t At = 0;
       At < Best.size() && Cycle.Nodes.size() < Machine->Nodes.size();
       At += Unit) {
    if (!Cycle.Nodes.empty() && Best[At] == Cycle.Nodes.front())
      break;
    Cycle.Nodes.push_back(Best[At]);
  }
  Cycle.Weights.assign(Cycle.Nodes.size(), 1);
  if (Cycle.Nodes.size() > 1)
    To.push_back(std::move(Cycle));
}

std::vector<Choice> Demand::candidates() const {
  std::vector<Choice> Found = {{Choice::FirstTouch, {}, {}, 1}};
  std::vector<unsigned> Nodes = Machine->nodesWithMemory();
  for (unsigned N : Nodes)
    Found.push_back({Choice::On, {N}, {}, 1});
  if (Nodes.size() > 1)
    Found.push_back({Choice::Interleave, Nodes, {}, 1});
  if (!CanBeCut || Nodes.size() < 2)
    return Found;
  std::vector<unsigned> Best = bestNodes();
  std::vector<std::pair<uint64_t, unsigned>> Wanted;
  for (size_t N = 0; N < Pages.size(); ++N)
    if (Pages[N].Numbered)
      Wanted.emplace_back(Pages[N].InBlock, Best[N]);
  std::vector<unsigned> Shape = byNumber(Wanted);
  addParts(Shape, Found);
  addRuns(Shape, Found);
  return Found;
}

std::string Choice::text(const Topology &T) const {
  std::vector<unsigned> Ids;
  for (unsigned N : Nodes)
    Ids.push_back(T.Nodes[N].Id);
  std::string Over = " over nodes " + formatList(Ids);
  switch (Policy) {
  case FirstTouch:
    return "first-touch";
  case On:
    return "on node " + std::to_string(Ids[0]);
  case Block:
    return "block" + Over;
  case Interleave:
    return "interleave" + Over;
  case Replicate:
    return "replicate";
  case RoundRobin:
    break;
  }
  std::string Text = "round-robin" + Over;
  if (std::any_of(Weights.begin(), Weights.end(),
                  [](unsigned W) { return W != 1; }))
    for (size_t N = 0; N < Weights.size(); ++N)
      Text += (N ? "," : " weights ") + std::to_string(Weights[N]);
  return Text + " unit " + std::to_string(UnitPages * PlanPageBytes / 1024) +
         "K";
}
