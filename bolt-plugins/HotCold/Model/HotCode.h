//===- HotCold/Model/HotCode.h - The code of a hot version ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data that the optimizations make and the proof reads.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MODEL_HOTCODE_H
#define GRAUPEL_HOTCOLD_MODEL_HOTCODE_H

#include "bolt/Core/BinaryFunction.h"
#include <vector>

namespace graupel {

/// Copies of a procedure's frequent blocks, the stubs that lead into the
/// original, and the edges between them.
class HotCode {
public:
  struct Way {
    bool ToStub;
    unsigned To; ///< An index into blocks() or stubs().
    double Count = 0;
  };
  struct Block {
    llvm::bolt::BinaryBasicBlock *Original;
    std::vector<llvm::MCInst> Code; ///< With rules for unwinding.
    std::vector<Way> Ways;          ///< Parallel to the original's successors.
    double Count = 0;
    int64_t Depth = 0;    ///< Depth of the original's stack at its beginning.
    int32_t CFIState = 0; ///< State of unwinding at its beginning.
    /// Set by commit().
    const llvm::bolt::BinaryBasicBlock *Copy = nullptr;
  };
  struct Stub {
    unsigned From;
    /// For exceptions from the block's calls to Target: no edge leads here.
    bool IsPad;
    llvm::bolt::BinaryBasicBlock *Target;
    std::vector<llvm::MCInst> Replay; ///< Builds the frame; has pseudos.
    std::vector<llvm::MCInst> Code;   ///< Moved here from the hot blocks.
    ///< Pads have none.
    double Count = 0;
    int64_t Depth = 0;
    int32_t CFIState = 0;
    const llvm::bolt::BinaryBasicBlock *Copy = nullptr; ///< Set by commit().
  };

  std::vector<Block> &blocks() { return Blocks; }
  const std::vector<Block> &blocks() const { return Blocks; }
  std::vector<Stub> &stubs() { return Stubs; }
  const std::vector<Stub> &stubs() const { return Stubs; }
  llvm::bolt::BinaryFunction &function() const { return BF; }

protected:
  explicit HotCode(llvm::bolt::BinaryFunction &BF) : BF(BF) {}

  llvm::bolt::BinaryFunction &BF;
  std::vector<Block> Blocks;
  std::vector<Stub> Stubs;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MODEL_HOTCODE_H
