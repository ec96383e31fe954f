//===- HotCold/FrameDepths.h - Depths by the unwind table -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack's depth at blocks according to call frame instructions. It is used
// where two paths to a block contradict each other, to tell which of them comes
// from a call that never returns; nothing follows from it alone.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_FRAMEDEPTHS_H
#define GRAUPEL_HOTCOLD_FRAMEDEPTHS_H

#include "bolt/Core/BinaryFunction.h"
#include <optional>
#include <vector>

namespace graupel {

class FrameDepths {
public:
  explicit FrameDepths(const llvm::bolt::BinaryFunction &BF);

  /// Bytes between the return address and the stack pointer at the beginning of
  /// \p Block. Nothing where frames are found by another register, or the table
  /// has no meaning to us.
  std::optional<int64_t> into(const llvm::bolt::BinaryBasicBlock &Block) const;

private:
  /// Element N is the depth behind the first N call frame instructions.
  std::vector<std::optional<int64_t>> Depths;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_FRAMEDEPTHS_H
