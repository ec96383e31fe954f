//===- HotCold/StackDepth.h - Stack depths at blocks ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_STACKDEPTH_H
#define GRAUPEL_HOTCOLD_STACKDEPTH_H

#include "HotCold/Machine/StackModel.h"
#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Bytes between the return address and the stack pointer at the beginning of
/// each block, which have to be the same on all paths to it. Where they are
/// not, a call seems to return but does not.
class StackDepth {
public:
  StackDepth(const llvm::bolt::BinaryFunction &BF, const StackModel &Stack);

  /// Nothing if the depth depends on the path, or is not known.
  std::optional<int64_t> into(const llvm::bolt::BinaryBasicBlock &Block) const {
    return Depths[Block.getIndex()];
  }

private:
  std::vector<std::optional<int64_t>> Depths;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_STACKDEPTH_H
