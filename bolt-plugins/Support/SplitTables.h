//===- Support/SplitTables.h - Tables that lead to other parts --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_SPLITTABLES_H
#define GRAUPEL_SUPPORT_SPLITTABLES_H

#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/JumpTable.h"

namespace graupel {

/// Whether the jump at the end of \p Block may lead to a part of its procedure
/// that is a function of its own (.cold), of which no edge tells.
inline bool mayLeaveByTable(const llvm::bolt::BinaryBasicBlock &Block) {
  const llvm::bolt::BinaryFunction &BF = *Block.getFunction();
  const llvm::MCInst *Last = Block.getLastNonPseudoInstr();
  if (!Last || !BF.getBinaryContext().MIB->isIndirectBranch(*Last))
    return false;
  const llvm::bolt::JumpTable *Table = BF.getJumpTable(*Last);
  return Table && Table->IsSplit;
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_SPLITTABLES_H
