//===- Sequences.h - The instructions of checks -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests in line; the layout of tags is graupel/dsm_checks.h's. Each test
// yields an i1 that is true if the slow path has to look.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_SEQUENCES_H
#define GRAUPEL_FGDSM_SEQUENCES_H

#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace graupel::fgdsm {

/// Loaded tags or summaries: the lowest Looked bytes of Bytes, an integer.
struct Tags {
  llvm::Value *Bytes;
  unsigned Looked;
  /// Whether they are to permit stores.
  bool Store;
};

/// Bytes whose tags loadTags looks at; above that there are none.
inline constexpr uint64_t LongestTagTest = 1024;

/// The tags of [Start, Start + Size), and of no granule that it cannot touch
/// wherever the alignment lets it start: one load of 1, 2, 4 or 8 tags, or
/// several of 8.
std::optional<Tags> loadTags(llvm::IRBuilder<> &B, llvm::Value *Start,
                             uint64_t Size, llvm::Align Alignment, bool Store);

/// Longest range that loadSummaries tells of.
inline constexpr uint64_t LongestSummaryTest = 8192;

/// The summaries of all pages that a range of up to MostBytes from Start on can
/// touch: two, or three.
Tags loadSummaries(llvm::IRBuilder<> &B, llvm::Value *Start, uint64_t MostBytes,
                   bool Store);

/// The tags of each pointer of a vector whose lane is on.
Tags loadLanes(llvm::IRBuilder<> &B, llvm::Value *Pointers, llvm::Value *Mask,
               uint64_t Size, llvm::Align Alignment, bool Store);

/// Whether any of them refuses: few comparisons, usually one, each of which is to
/// have a branch of its own.
llvm::SmallVector<llvm::Value *, 2> areRefused(llvm::IRBuilder<> &B,
                                               llvm::ArrayRef<Tags> All);

/// Whether numbers may be asked in F whether they are NaN: not where
/// comparisons must not raise exceptions, nor where NaN need not be heeded.
bool mayCompareNumbers(const llvm::Function &F);

/// Whether a loaded value, or a lane of a gathered one, looks like invalid
/// memory.
llvm::Value *testValue(llvm::IRBuilder<> &B, llvm::Value *Loaded);
llvm::Value *testGathered(llvm::IRBuilder<> &B, llvm::Value *Loaded);

/// `Waits`: whether to rest, too.
llvm::Value *testPollFlag(llvm::IRBuilder<> &B, bool Waits);

/// The ablation that branches through a table of routines, indexed by the tag.
void callThroughTable(llvm::IRBuilder<> &B, llvm::Value *Start, uint64_t Size,
                      bool Store);

} // namespace graupel::fgdsm

#endif
