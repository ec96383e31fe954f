//===- ProfileMatch/BlockShapes.h - Features of blocks ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_BLOCKSHAPES_H
#define GRAUPEL_PROFILEMATCH_BLOCKSHAPES_H

#include "Profile/Metadata.h"
#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Describes the blocks of BOLT's functions such that the same source compiled
/// by the same compiler looks the same wherever it is linked to, and whether or
/// not the file has symbols.
class BlockShapes {
public:
  explicit BlockShapes(const llvm::bolt::BinaryContext &BC);

  /// May be called by several threads at once.
  BlockShape of(const llvm::bolt::BinaryBasicBlock &Block) const;

private:
  const llvm::bolt::BinaryContext &BC;
  std::vector<uint64_t> Mnemonics; ///< Hashes, by opcode.
  std::vector<uint64_t> Registers; ///< Hashes of their names, by number.

  uint64_t operation(const llvm::MCInst &Inst) const;
  bool isAddress(int64_t Value) const;
};

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_BLOCKSHAPES_H
