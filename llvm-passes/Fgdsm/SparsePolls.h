//===- SparsePolls.h - Several iterations a poll ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small loops of which nobody knows how long they run poll in each iteration:
// searches, walks along lists. They are unrolled, so that several iterations
// share a poll. See SparsePolls.cpp for which.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_SPARSEPOLLS_H
#define GRAUPEL_FGDSM_SPARSEPOLLS_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Function;
class LoopInfo;
class OptimizationRemarkEmitter;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace graupel::fgdsm {

struct StripQueries;

struct UnrollingAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;
  const llvm::TargetTransformInfo &TTI;
  llvm::OptimizationRemarkEmitter &ORE;
};

/// After loops have been cut into strips; loops are simplified.
void sparePolls(llvm::Function &F, const StripQueries &Ask,
                UnrollingAnalyses In);

} // namespace graupel::fgdsm

#endif
