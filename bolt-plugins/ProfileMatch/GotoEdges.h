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

/// Gives the edges of the computed gotos of \p BF counts. Its blocks have those
/// of a profile: how often they were executed, entries and landing pads how
/// often they were entered from outside, other edges theirs.
void shareOutGotos(llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_GOTOEDGES_H
