//===- LoadSinking.h - Loads next to their use ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks split blocks, and code generation makes a load an operand of the
// arithmetic that uses it within a block only. So loads that need no check of
// their own move down to their use, behind the checks of what stands between.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_LOADSINKING_H
#define GRAUPEL_FGDSM_LOADSINKING_H

#include "PointerPrivacy.h"

namespace graupel::fgdsm {

/// Before checks are planned, which then see the new order.
void sinkLoads(llvm::Function &F, const PointerPrivacy &Privacy);

} // namespace graupel::fgdsm

#endif
