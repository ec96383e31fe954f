//===- HotCold/SwitchTables.h - Jump tables of hot copies -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of a jump through a table needs a table of its own, since it goes to
// other blocks. That is possible if the block that jumps is the only one that
// knows where the table is.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_SWITCHTABLES_H
#define GRAUPEL_HOTCOLD_SWITCHTABLES_H

#include "Liveness.h"

namespace graupel {

/// True if \p Block ends with a jump to another place in the function that
/// depends on a value.
bool endsWithSwitch(const llvm::bolt::BinaryBasicBlock &Block);

/// True if \p Block, which ends with a switch, could have a copy with another
/// table.
bool canCopySwitch(const llvm::bolt::BinaryBasicBlock &Block,
                   const RegisterModel &Registers, const Liveness &Live);

/// Gives \p Copy, which has the code of the block that jumped to \p Old, a table
/// that goes to \p New instead, each to the one in the same place. If nothing
/// \p SharesTable any more, it is the old one that is changed.
void retargetSwitch(llvm::bolt::BinaryBasicBlock &Copy,
                    llvm::ArrayRef<const llvm::MCSymbol *> Old,
                    llvm::ArrayRef<llvm::MCSymbol *> New, bool SharesTable);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_SWITCHTABLES_H
