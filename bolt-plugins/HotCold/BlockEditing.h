//===- HotCold/BlockEditing.h - Copies of blocks ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_BLOCKEDITING_H
#define GRAUPEL_HOTCOLD_BLOCKEDITING_H

#include "bolt/Core/BinaryBasicBlock.h"

namespace graupel {

/// 0 if there is no count.
inline uint64_t knownCount(uint64_t Count) {
  return Count == llvm::bolt::BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count;
}

/// Appends a copy of \p Inst, which may be a pseudo instruction.
void appendCopy(llvm::bolt::BinaryBasicBlock &To, const llvm::MCInst &Inst);

/// Lets the direct branches of \p Block that go to \p Old go to \p New. Its
/// successors stay what they are.
void retargetBranches(llvm::bolt::BinaryBasicBlock &Block,
                      const llvm::MCSymbol &Old, const llvm::MCSymbol &New);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_BLOCKEDITING_H
