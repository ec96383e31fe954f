//===- ProfileMatch/GotoEdges.h - Counts of computed gotos ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_GOTOEDGES_H
#define GRAUPEL_PROFILEMATCH_GOTOEDGES_H

#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// True if BOLT adds the edges into \p Block to its count, which is then how often
/// it was entered from outside. It does not for the function's first block.
bool addsEdges(const llvm::bolt::BinaryBasicBlock &Block);

/// Gives the edges of the computed gotos of \p BF counts. Its blocks have those
/// of a profile, and so have other edges.
void shareOutGotos(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_GOTOEDGES_H
