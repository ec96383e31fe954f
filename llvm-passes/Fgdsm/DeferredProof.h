//===- DeferredProof.h - Proves loads by sums behind a loop -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the verifier; the opposite of DeferredTests, and written without it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_DEFERREDPROOF_H
#define GRAUPEL_FGDSM_DEFERREDPROOF_H

#include "llvm/Support/Alignment.h"

namespace llvm {
class DominatorTree;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace graupel::fgdsm {

/// Whether nothing is done with what Load yields, which is aligned so, unless a
/// number that it is part of was found not to be NaN.
bool isProvenBehindLoop(const llvm::Instruction &Load, llvm::Align Alignment,
                        const llvm::LoopInfo &LI,
                        const llvm::DominatorTree &DT);

} // namespace graupel::fgdsm

#endif
