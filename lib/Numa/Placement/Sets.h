//===- Numa/Placement/Sets.h - Nodes for a set of domains ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_SETS_H
#define GRAUPEL_NUMA_SETS_H

#include "Numa/Topology/Topology.h"

namespace graupel::numa {

struct DomainWish {
  uint64_t Bytes;
  unsigned Radius; ///< Steps.
};

enum class Shape { Free, Cube };

struct SetWish {
  std::vector<DomainWish> Domains;
  Shape Wanted = Shape::Free;
  std::vector<unsigned> Near; ///< Nodes that all should be near.
  /// By node: what is free there. Empty: nothing is known, all have room.
  std::vector<uint64_t> FreeBytes;
  std::vector<unsigned>
      Placed; ///< By node: domains there already. May be empty.
};

struct SetPlace {
  std::vector<unsigned> Centers; ///< By domain.
  bool HasRoom;                  ///< Each finds its memory within its radius.
  bool HasShape; ///< Cube: no neighbors in it are further apart than others.
};

/// The best nodes for a set: with memory; different ones while there are
/// enough; least sum of steps between domains (of a cube: between neighbors in
/// it), to `Near`, and of domains that are there already. All tuples are tried
/// if they are few, otherwise it is greedy with exchanges. Among equals the
/// lowest nodes.
SetPlace placeSet(const Topology &T, const SetWish &Wish);

/// Whether each domain, with that center, finds its memory within its radius:
/// nearest nodes first, domains in order.
bool hasRoom(const Topology &T, const SetWish &Wish,
             const std::vector<unsigned> &Centers);

} // namespace graupel::numa

#endif
