//===- Remarks.h - Remarks on checks ----------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -Rpass=fgdsm: checks that were left out, shared or moved.
// -Rpass-missed=fgdsm: checks that remain, and why.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_REMARKS_H
#define GRAUPEL_FGDSM_REMARKS_H

#include "CheckPlan.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace graupel::fgdsm {

/// Before the plan is carried out.
void emitRemarks(llvm::Function &F, const CheckPlan &Plan,
                 llvm::OptimizationRemarkEmitter &Remarks);

} // namespace graupel::fgdsm

#endif
