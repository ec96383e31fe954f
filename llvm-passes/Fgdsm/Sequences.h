//===- Sequences.h - The instructions of checks -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in line; the layout of tags is graupel/dsm_checks.h's. Each test
// yields an i1 that is true if the slow path has to look.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_SEQUENCES_H
#define GRAUPEL_FGDSM_SEQUENCES_H

#include "llvm/IR/IRBuilder.h"

namespace graupel::fgdsm {

/// Bytes whose tags testTags looks at; above that it returns null.
inline constexpr uint64_t LongestTagTest = 1024;

/// The tags of [Start, Start + Size), and of no granule that it cannot touch
/// wherever the alignment lets it start: one load of 1, 2, 4 or 8 tags, or
/// several of 8.
llvm::Value *testTags(llvm::IRBuilder<> &B, llvm::Value *Start, uint64_t Size,
                      llvm::Align Alignment, bool Store);

/// Longest range that testSummaries tells of.
inline constexpr uint64_t LongestSummaryTest = 4096;

/// The summaries of Start's page and of the next: all that a range of up to a
/// page can touch.
llvm::Value *testSummaries(llvm::IRBuilder<> &B, llvm::Value *Start, bool Store);

/// Whether a loaded value, or a lane of a gathered one, looks like invalid
/// memory.
llvm::Value *testValue(llvm::IRBuilder<> &B, llvm::Value *Loaded);
llvm::Value *testGathered(llvm::IRBuilder<> &B, llvm::Value *Loaded);

/// The tags of each pointer of a vector whose lane is on.
llvm::Value *testLanes(llvm::IRBuilder<> &B, llvm::Value *Pointers,
                       llvm::Value *Mask, uint64_t Size, llvm::Align Alignment,
                       bool Store);

llvm::Value *testPollFlag(llvm::IRBuilder<> &B);

/// The ablation that branches through a table of routines, indexed by the tag.
void callThroughTable(llvm::IRBuilder<> &B, llvm::Value *Start, uint64_t Size,
                      bool Store);

} // namespace graupel::fgdsm

#endif
