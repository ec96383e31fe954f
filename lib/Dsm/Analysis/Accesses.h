//===- Dsm/Analysis/Accesses.h - Misses of objects, in order ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes' logs as one: by epoch, and within one by time, which is the same
// for nodes of one host. Has the pages that are in all logs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ANALYSIS_ACCESSES_H
#define GRAUPEL_DSM_ANALYSIS_ACCESSES_H

#include "Dsm/Job/Objects.h"
#include "Replay.h"
#include <memory>

namespace graupel::dsm {

/// The use of an object's blocks, by the misses of a kind of block.
struct Pattern {
  uint64_t OneWriterAllRead = 0; ///< One node stores, all others load.
  uint64_t OneWriter = 0;        ///< One node stores, some others load.
  uint64_t OneUser = 0;          ///< Only one node is seen.
  uint64_t ReadOnly = 0;         ///< Nobody is seen to store.
  uint64_t Passed = 0;           ///< Several store, after they have loaded.
  uint64_t Written = 0;          ///< Several store.
  /// Bytes from what a node stores to the nearest that another one stores in
  /// the same block, if both are never stored by the other; 0: none.
  uint64_t Apart = 0;
};

struct ObjectAccesses {
  std::unique_ptr<Replay> Log; ///< Null if there is none.
  Pattern Seen;
};

class Accesses {
public:
  Accesses(const JobFiles &, SourceLines &, const Objects &);

  const ObjectAccesses &operator[](unsigned Object) const {
    return PerObject[Object];
  }
  /// Access::Place.
  const SourceLine &line(const Access &A) const { return *Places[A.Place]; }

private:
  std::vector<ObjectAccesses> PerObject; ///< As Objects::all().
  std::vector<const SourceLine *> Places;
};

/// The pattern of an object's accesses. `Block`: the size of its blocks.
Pattern findPattern(const std::vector<Access> &, uint64_t Block, int Nodes);

} // namespace graupel::dsm

#endif
