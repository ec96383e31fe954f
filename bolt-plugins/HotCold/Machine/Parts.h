//===- HotCold/Machine/Parts.h - Parts of procedures ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_PARTS_H
#define GRAUPEL_HOTCOLD_MACHINE_PARTS_H

#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// The part of the same procedure that \p Jump, which may be a tail call, of \p
/// BF goes to, or null: compilers put what is cold into a function of its own
/// (.cold), which has the frame that it is entered with.
const llvm::bolt::BinaryFunction *
partOfSame(const llvm::bolt::BinaryFunction &BF, const llvm::MCInst &Jump);
/// True if \p Jump, of a procedure's first part, goes on in another part.
bool entersPart(const llvm::bolt::BinaryContext &BC, const llvm::MCInst &Jump);
/// True if \p Call of \p BF goes to such a part of another procedure.
bool entersForeignPart(const llvm::bolt::BinaryFunction &BF,
                       const llvm::MCInst &Call);

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MACHINE_PARTS_H
