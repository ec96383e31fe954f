//===- Instrumentation.h - Carries out a plan of checks ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In line there is only a load of tags (or the loaded value), a test and a
// branch to code that is called once in a while (Schoinas 1998, 2.3.1):
//
//   table     lea; shr $5; cmpb $0 (testb $0x80), %gs:(); jne
//   sentinel  cmpl $0x7ffbadc0; je
//   poll      cmpb $0, %gs:0; jne
//
// The loads of tags are volatile: nothing moves across them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_INSTRUMENTATION_H
#define GRAUPEL_FGDSM_INSTRUMENTATION_H

#include "CheckPlan.h"

namespace graupel::fgdsm {

/// Inserts what the plan says. The plan's pointers are void afterwards.
void instrument(llvm::Function &F, CheckPlan &Plan);

} // namespace graupel::fgdsm

#endif
