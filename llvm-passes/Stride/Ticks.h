//===- Ticks.h - Where plain code counts its references ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants to subtract from the budget on edges of the control flow graph, so
// that every path from the entry to an exit, and every cycle, has subtracted as
// many references as it made. As in (Ball, Larus 1994: Optimally Profiling and
// Tracing Programs) the edges of a spanning tree carry nothing; the tree has
// what runs often. Where the budget is checked anyway, any constant is free.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_TICKS_H
#define GRAUPEL_STRIDE_TICKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <cstdint>

namespace llvm {
class BasicBlock;
class BlockFrequencyInfo;
class BranchProbabilityInfo;
class Function;
class raw_ostream;
} // namespace llvm

namespace graupel::stride {

class Ticks {
public:
  using Blocks = llvm::SmallSetVector<llvm::BasicBlock *, 8>;
  using Counts = llvm::MapVector<llvm::BasicBlock *, uint64_t>;

  /// `References` that each block makes; `Checks` are made at blocks' starts.
  /// The first check is the function's.
  Ticks(llvm::Function &F, const llvm::BlockFrequencyInfo &BFI,
        const llvm::BranchProbabilityInfo &BPI, const Counts &References,
        const Blocks &Checks);

  /// The count subtracted at a block's start, with the check if there is one.
  int64_t at(const llvm::BasicBlock *BB) const { return AtStart.lookup(BB); }
  /// And before its terminator.
  int64_t atEnd(const llvm::BasicBlock *BB) const { return AtEnd.lookup(BB); }
  /// And on an edge that needs a block of its own.
  struct Edge {
    llvm::BasicBlock *From, *To;
    int64_t Count;
  };
  llvm::ArrayRef<Edge> edges() const { return Critical; }
  /// References made and not yet subtracted: before a block, and behind it.
  int64_t pending(const llvm::BasicBlock *BB) const {
    return Before.lookup(BB);
  }
  int64_t pendingBehind(const llvm::BasicBlock *BB) const {
    return After.lookup(BB) - AtEnd.lookup(BB);
  }

  /// `at` counts with a check if there is one, `pending` is before that.
  void print(llvm::raw_ostream &OS) const;

private:
  class Solver;
  void tickEachBlock(const Counts &References);

  llvm::Function &F;
  llvm::DenseMap<const llvm::BasicBlock *, int64_t> AtStart, AtEnd, Before,
      After;
  llvm::SmallVector<Edge, 8> Critical;
};

} // namespace graupel::stride

#endif
