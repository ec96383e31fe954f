//===- DeferredTests.h - Sums tell whether loads were valid -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invalid memory reads as NaN (GRAUPEL_DSM_SENTINEL), and a sum that one of its
// terms made NaN stays NaN. So a loop that only adds up what it loads needs one
// test behind it instead of one for each load. Where the test fails, a copy of
// the loop with the usual checks runs from the same beginning.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_DEFERREDTESTS_H
#define GRAUPEL_FGDSM_DEFERREDTESTS_H

#include "PointerPrivacy.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace graupel::fgdsm {

/// On loads that the sums of their loop tell of, until the checks are inserted.
inline constexpr char DeferredMetadataName[] = "graupel.deferred";

/// Before checks are planned. Loops are in simplified form; LI and DT are kept.
void deferTests(llvm::Function &F, const PointerPrivacy &Privacy,
                llvm::LoopInfo &LI, llvm::DominatorTree &DT);

} // namespace graupel::fgdsm

#endif
