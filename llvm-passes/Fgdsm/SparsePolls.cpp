//===- SparsePolls.cpp - Several iterations a poll ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. Candidates are innermost loops that are no strips and not known to be
//     short, so that PollPlan will have them poll at their latch.
//  2. They must be so small that the poll is a good part of an iteration, and
//     must not wait for other threads: who spins is to poll as often as it
//     looks. Calls that may poll do so anyhow.
//  3. Each is unrolled; every copy of an iteration keeps its exits.
//
// Nothing is known of such a loop's iterations, so optimizers before us have
// not unrolled it.
//
//===----------------------------------------------------------------------===//

#include "SparsePolls.h"
#include "Markers.h"
#include "StripMining.h"
#include "StripPlan.h"
#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace graupel::fgdsm {

/// Iterations a poll.
static constexpr unsigned Together = 4;
/// Instructions of an iteration; a poll has two.
static constexpr unsigned MostInstructions = 12;

static bool isCounted(const Instruction &I) {
  return !isa<PHINode, GetElementPtrInst, CastInst>(I) &&
         !I.isDebugOrPseudoInst();
}

static unsigned instructionsOf(const Loop &L) {
  unsigned Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      Instructions += isCounted(I);
  return Instructions;
}

// Step 2: what might wait, poll by itself, or not be repeated.
static bool mayNotRepeat(const Instruction &I, const StripQueries &Ask) {
  return I.isAtomic() || I.isVolatile() || Ask.MayHandshake(I) ||
         (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
         I.getType()->isTokenTy();
}

static bool isCandidate(const Loop &L, const StripQueries &Ask,
                        ScalarEvolution &SE) {
  if (!L.isInnermost() || !L.isLoopSimplifyForm() || !L.isSafeToClone() ||
      findOptionMDForLoop(&L, StripLoopMetadataName) ||
      findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
    return false;
  const unsigned Instructions = instructionsOf(L);
  const unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  if (Instructions > MostInstructions ||
      (Most != 0 &&
       SaturatingMultiply<uint64_t>(Most, Instructions) <= StripBudget))
    return false;
  return none_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB,
                  [&](const Instruction &I) { return mayNotRepeat(I, Ask); });
  });
}

void sparePolls(Function &F, const StripQueries &Ask, UnrollingAnalyses In) {
  if (F.hasOptSize() || F.hasFnAttribute(NoPollAttribute))
    return;
  SmallVector<Loop *, 8> Candidates;
  for (Loop *L : In.LI.getLoopsInPreorder())
    if (isCandidate(*L, Ask, In.SE))
      Candidates.push_back(L);
  UnrollLoopOptions Options;
  Options.Count = Together;
  Options.Force = true;
  Options.Runtime = false;
  Options.AllowExpensiveTripCount = false;
  Options.UnrollRemainder = false;
  Options.ForgetAllSCEV = false;
  Options.SCEVExpansionBudget = 0;
  for (Loop *L : Candidates) {
    formLCSSARecursively(*L->getOutermostLoop(), In.DT, &In.LI, &In.SE);
    UnrollLoop(L, Options, &In.LI, &In.SE, &In.DT, &In.AC, &In.TTI, &In.ORE,
               /*PreserveLCSSA=*/true);
  }
}

} // namespace graupel::fgdsm
