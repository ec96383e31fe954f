//===- Numa/Topology/Routes.h - Ways between nodes ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_ROUTES_H
#define GRAUPEL_NUMA_ROUTES_H

#include <vector>

namespace graupel::numa {

class Topology;

/// Shortest ways over links. Among ways of one length the one whose vertices
/// have the lower numbers, so the same machine has the same routes each time.
/// A fixed route of the topology takes the place of the shortest.
class Routes {
public:
  /// Needs only nodes, routers, links and fixed routes of `T`, and not later.
  explicit Routes(const Topology &T);

  /// The vertices from one to another, both included; empty if there is no way.
  std::vector<unsigned> between(unsigned From, unsigned To) const;
  /// The number of links on the way, or -1 if there is none.
  int hops(unsigned From, unsigned To) const;

private:
  void search(unsigned To, const std::vector<std::vector<unsigned>> &Adjacent);

  unsigned Count;
  /// For each pair, the next vertex on the way from the first to the second.
  std::vector<int> Next;
  std::vector<std::vector<unsigned>> Fixed; ///< By pair, mostly empty.
};

} // namespace graupel::numa

#endif
