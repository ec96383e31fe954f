//===- Recover/ComputedGotos.h - goto *label --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_RECOVER_COMPUTEDGOTOS_H
#define GRAUPEL_RECOVER_COMPUTEDGOTOS_H

#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/SetVector.h"

namespace graupel {

using BlockSet = llvm::SetVector<llvm::bolt::BinaryBasicBlock *>;

/// The blocks of \p BF whose addresses data holds, with those that other
/// functions enter. \p BF has its control flow graph.
BlockSet blocksKnownToData(const llvm::bolt::BinaryFunction &BF);

/// As blocksKnownToData(), if there are some besides those in tables of switches
/// and no other place that a computed goto of \p BF could lead to; else none.
BlockSet targetsOfComputedGotos(const llvm::bolt::BinaryFunction &BF);

/// True if others than \p BF may read the tables in data that hold its labels, and
/// expect certain code there. \p BF has all its edges.
bool areLabelsPublished(llvm::bolt::BinaryFunction &BF);

/// Gives each of \p Jumps, blocks of \p BF that end in a computed goto, edges to
/// all \p Targets, if these are not too many, none jumps to a sum, and nobody else
/// can read the labels' tables. Otherwise \p BF is as before and false is
/// returned.
bool connectComputedGotos(llvm::bolt::BinaryFunction &BF,
                          llvm::ArrayRef<llvm::bolt::BinaryBasicBlock *> Jumps,
                          const BlockSet &Targets);

} // namespace graupel

#endif // GRAUPEL_RECOVER_COMPUTEDGOTOS_H
