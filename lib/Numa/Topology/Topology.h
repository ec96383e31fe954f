//===- Numa/Topology/Topology.h - The parts of a machine ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are named by the system's number wherever people see them, and by their
// index in Topology::Nodes in matrices, links and routes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_TOPOLOGY_H
#define GRAUPEL_NUMA_TOPOLOGY_H

#include "Matrix.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graupel::numa {

/// More nodes are refused: sets of nodes are words of as many bits.
constexpr unsigned MaxNodes = 64;

struct Processor {
  unsigned Id;          ///< The system's number.
  unsigned Node;        ///< Index of its node.
  unsigned Package = 0; ///< The system's number.
  unsigned Cache = 0;   ///< Processors that share the last cache have the same.
};

/// Performance of a node's memory according to firmware, seen from its own
/// processors.
struct Performance {
  std::optional<double> ReadLatency, WriteLatency;     ///< Nanoseconds.
  std::optional<double> ReadBandwidth, WriteBandwidth; ///< 10^6 bytes a second.
  bool known() const {
    return ReadLatency || WriteLatency || ReadBandwidth || WriteBandwidth;
  }
};

struct Node {
  unsigned Id = 0; ///< The system's number.
  uint64_t Bytes = 0;
  /// Free, or cache of files. Only of the machine that runs.
  std::optional<uint64_t> FreeBytes;
  Performance Local;
  std::string Path; ///< "/machine/package0/node0"
};

struct Device {
  std::string Name; ///< The system's, as "eth0"; or the bus address.
  std::string Kind; ///< "network", "block", "gpu", "pci"
  unsigned Node;    ///< Index of the nearest node.
};

/// An undirected edge between vertices: nodes by their index, then routers.
struct Link {
  unsigned A, B;
};

/// A way that a description prescribes instead of the shortest.
struct FixedRoute {
  unsigned From, To;
  std::vector<unsigned> Vertices; ///< With both ends.
};

class Topology {
public:
  std::string Source;      ///< Where all this is from, for people.
  std::vector<Node> Nodes; ///< Ascending by their numbers.
  std::vector<Processor> Processors;
  std::vector<Device> Devices;
  unsigned Routers = 0;
  std::vector<Link> Links;
  /// Nobody has named the links: they follow from the distances.
  bool LinksGuessed = false;
  /// Nobody has named distances or links: Firmware is one step between all.
  bool DistancesAssumed = false;
  std::vector<FixedRoute> FixedRoutes;
  /// Local is 10. From hops if only links are known. Always there once
  /// complete.
  std::optional<Matrix> Firmware;
  /// Nanoseconds, 10^6 bytes a second. Set by who has measured.
  std::optional<Matrix> Latency, Bandwidth;

  /// Puts processors into order, and derives what was not said: links from
  /// distances or distances from links, paths. Returns what is wrong, if
  /// anything is. Nothing else is to be called before.
  std::optional<std::string> complete();

  /// Steps of distance: 0 to itself, 1 to the nearest. Hops if links are known.
  const Matrix &classes() const { return Classes; }
  /// All nodes within `Radius` steps of `Center`, nearest first, then by index.
  std::vector<unsigned> within(unsigned Center, unsigned Radius) const;
  std::optional<unsigned> indexOfNode(unsigned Id) const;
  /// The index of the node that a processor is on.
  std::optional<unsigned> nodeOfProcessor(unsigned Id) const;
  /// System's numbers, ascending.
  std::vector<unsigned> processorsOf(unsigned Node) const;
  /// Indices, ascending; all if nobody says which have some.
  std::vector<unsigned> nodesWithMemory() const;
  unsigned vertices() const { return unsigned(Nodes.size()) + Routers; }
  /// "node3", "router0"
  std::string nameOfVertex(unsigned Vertex) const;
  /// Facts about this machine that are unknown, in sentences.
  std::vector<std::string> gaps() const;

private:
  std::optional<std::string> check() const;
  std::optional<std::string> useLinks();
  void useDistances();

  Matrix Classes;
};

} // namespace graupel::numa

#endif
