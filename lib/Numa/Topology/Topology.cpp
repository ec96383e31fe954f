//===- Numa/Topology/Topology.cpp - The parts of a machine ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Completes a topology, and answers questions about it.
//
// 1. complete orders the processors. check refuses no nodes, too many, and
//    numbers that are too great or come twice.
// 2. If links are known, useLinks counts the hops of the shortest way between
//    all nodes. They become the distances, unless firmware has told them.
// 3. Otherwise useDistances takes the distances, or assumes one step between
//    all nodes. It guesses links between nearest neighbors.
// 4. Both compute the classes: steps of distance, from 0 on.
// 5. within, nodesWithMemory and the other queries read these data. gaps says
//    in words what is not known.
//
//===----------------------------------------------------------------------===//

#include "Topology.h"
#include "Routes.h"
#include <algorithm>

using namespace graupel::numa;

static std::string nodes(size_t Count) {
  return std::to_string(Count) + (Count == 1 ? " node" : " nodes");
}

std::optional<std::string> Topology::check() const {
  if (Nodes.empty())
    return "no node has memory; describe at least one";
  if (Nodes.size() > MaxNodes)
    return "there are " + nodes(Nodes.size()) + "; at most " +
           std::to_string(MaxNodes) + " are supported";
  for (size_t N = 1; N < Nodes.size(); ++N)
    if (Nodes[N - 1].Id >= Nodes[N].Id)
      return "node " + std::to_string(Nodes[N].Id) + " is described twice";
  // Sets of nodes go to the system as words.
  if (Nodes.back().Id >= MaxNodes)
    return "node " + std::to_string(Nodes.back().Id) +
           " has too great a number; at most " + std::to_string(MaxNodes - 1) +
           " is supported";
  for (size_t N = 1; N < Processors.size(); ++N)
    if (Processors[N - 1].Id == Processors[N].Id)
      return "processor " + std::to_string(Processors[N].Id) +
             " is described twice";
  return std::nullopt;
}

/// Distances are hops between nodes: 10 on the diagonal, 10 more a hop.
std::optional<std::string> Topology::useLinks() {
  unsigned Count = unsigned(Nodes.size());
  Matrix Hops(Count), Distances(Count, 10);
  Routes R(*this);
  for (unsigned From = 0; From < Count; ++From)
    for (unsigned To = 0; To < Count; ++To) {
      if (From == To)
        continue;
      std::vector<unsigned> Way = R.between(From, To);
      if (Way.empty())
        return "no links lead from node " + std::to_string(Nodes[From].Id) +
               " to node " + std::to_string(Nodes[To].Id) + "; add some";
      Hops.set(From, To, double(Way.size() - 1));
      Distances.set(From, To, 10.0 * double(Way.size()));
    }
  Classes = classesOf(Firmware ? *Firmware : Hops);
  if (!Firmware)
    Firmware = Distances;
  return std::nullopt;
}

void Topology::useDistances() {
  if (!Firmware) {
    DistancesAssumed = true;
    Firmware = Matrix(unsigned(Nodes.size()), 20);
    for (unsigned N = 0; N < Nodes.size(); ++N)
      Firmware->set(N, N, 10);
  }
  Classes = classesOf(*Firmware);
  LinksGuessed = true;
  for (auto [A, B] : neighborsIn(*Firmware))
    Links.push_back({A, B});
}

std::optional<std::string> Topology::complete() {
  std::sort(Processors.begin(), Processors.end(),
            [](const Processor &A, const Processor &B) { return A.Id < B.Id; });
  if (auto Wrong = check())
    return Wrong;
  for (Node &N : Nodes)
    if (N.Path.empty())
      N.Path = "/machine/node" + std::to_string(N.Id);
  if (!Links.empty())
    return useLinks();
  useDistances();
  return std::nullopt;
}

std::vector<unsigned> Topology::within(unsigned Center, unsigned Radius) const {
  std::vector<unsigned> Found;
  for (unsigned N = 0; N < Nodes.size(); ++N)
    if (Classes.at(Center, N) <= Radius)
      Found.push_back(N);
  std::sort(Found.begin(), Found.end(), [&](unsigned A, unsigned B) {
    return std::pair(Classes.at(Center, A), A) <
           std::pair(Classes.at(Center, B), B);
  });
  return Found;
}

std::optional<unsigned> Topology::indexOfNode(unsigned Id) const {
  for (unsigned N = 0; N < Nodes.size(); ++N)
    if (Nodes[N].Id == Id)
      return N;
  return std::nullopt;
}

std::optional<unsigned> Topology::nodeOfProcessor(unsigned Id) const {
  for (const Processor &P : Processors)
    if (P.Id == Id)
      return P.Node;
  return std::nullopt;
}

std::vector<unsigned> Topology::processorsOf(unsigned Node) const {
  std::vector<unsigned> Ids;
  for (const Processor &P : Processors)
    if (P.Node == Node)
      Ids.push_back(P.Id);
  return Ids;
}

std::vector<unsigned> Topology::nodesWithMemory() const {
  std::vector<unsigned> With, All;
  for (unsigned N = 0; N < Nodes.size(); ++N) {
    All.push_back(N);
    if (Nodes[N].Bytes)
      With.push_back(N);
  }
  return With.empty() ? All : With;
}

std::string Topology::nameOfVertex(unsigned Vertex) const {
  if (Vertex < Nodes.size())
    return "node" + std::to_string(Nodes[Vertex].Id);
  return "router" + std::to_string(Vertex - Nodes.size());
}

std::vector<std::string> Topology::gaps() const {
  std::vector<std::string> Gaps;
  if (Nodes.size() == 1) {
    Gaps.push_back("one node: every placement is trivially right, and there is "
                   "no distance to measure");
  } else if (DistancesAssumed) {
    Gaps.push_back("nobody says how far nodes are apart: all are assumed to be "
                   "neighbors");
  } else if (LinksGuessed) {
    Gaps.push_back("nobody says how nodes are wired: links join the nodes that "
                   "are nearest to each other by distance");
  }
  if (!Latency && Nodes.size() > 1)
    Gaps.push_back(
        "distances are not measured; --measured=FILE shows those that "
        "were");
  bool Known = false, Memory = false;
  for (const Node &N : Nodes)
    Known |= N.Local.known(), Memory |= N.Bytes > 0;
  if (!Memory)
    Gaps.push_back("nobody says how much memory nodes have");
  if (!Known)
    Gaps.push_back("firmware says nothing of latency and bandwidth (no HMAT)");
  return Gaps;
}
