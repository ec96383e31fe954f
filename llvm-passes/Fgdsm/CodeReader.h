//===- CodeReader.h - Facts that instrumented code establishes --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes tests and calls of the runtime, for the verifier. The opposite of
// Sequences.h, and written without it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CODEREADER_H
#define GRAUPEL_FGDSM_CODEREADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace graupel::fgdsm {

/// Memory that some code made valid.
struct Established {
  enum {
    Tags,     ///< Granules from Pointer's on: Count of them.
    Bytes,    ///< Count bytes from Pointer on.
    Strip,    ///< Length * PerUnit + Count bytes from Pointer on.
    Pages,    ///< Whatever begins at Pointer and is no longer than a page.
    LaneTags, ///< As Tags, of lane Lane of the vector Pointer, if it is on.
    LaneBytes ///< As Bytes, of the same.
  } Kind;
  const llvm::Value *Pointer;
  uint64_t Count;
  const llvm::Value *Length;
  bool Store;
  uint64_t Lane = 0;
  uint64_t PerUnit = 0;
  /// Pages: where they are loaded.
  const llvm::Instruction *At = nullptr;
};

using EstablishedList = llvm::SmallVector<Established, 4>;

/// The facts that hold when the branch does not go to its first successor.
EstablishedList readTest(const llvm::BranchInst &Branch);

/// The load or gather that the branch tests for the sentinel, if it is such a
/// branch.
const llvm::Instruction *readValueTest(const llvm::BranchInst &Branch);

/// The value that V copies opaquely to optimizers, or V.
const llvm::Value *originalOf(const llvm::Value *V);

/// What V is the address of, if assembly has computed it for a slow path, or V.
const llvm::Value *placeOf(const llvm::Value *V);

/// If the call is one of the runtime's entries: what is valid behind it.
/// Everything else is not.
std::optional<EstablishedList> readEntry(const llvm::CallBase &Call);

} // namespace graupel::fgdsm

#endif
