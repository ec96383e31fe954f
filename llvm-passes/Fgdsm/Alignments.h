//===- Alignments.h - Which accesses may be misaligned ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_ALIGNMENTS_H
#define GRAUPEL_FGDSM_ALIGNMENTS_H

#include "PointerPrivacy.h"

namespace graupel::fgdsm {

/// Takes back the alignment of accesses that may be shared where the code gives
/// reason to doubt it.
void doubtAlignments(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif
