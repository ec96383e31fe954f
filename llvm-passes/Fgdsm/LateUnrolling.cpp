//===- LateUnrolling.cpp - Sums are unrolled behind the checks ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that is unrolled for any number of iterations is two: the unrolled one
// and one for the remainder. Each would have a range, a comparison of its
// iterations and a test of its sum, which is as much as a short row of a matrix
// costs by itself. So such loops stay as they are until they have checks.
//
//  1. isSum: loops of one block that store nothing and add up numbers, with an
//     address that is affine. Others are as cheap to check when unrolled, or are
//     vectorized.
//  2. KeepRolledPass: keep LLVM from unrolling them. Loops that are vectorized
//     then are not unrolled anyway.
//  3. LateUnrollingPass: unroll loops without checks within, as often as the
//     target likes. Nothing polls in these loops, so memory that is valid
//     before the loop is so in both parts.
//
//===----------------------------------------------------------------------===//

#include "LateUnrolling.h"
#include "Markers.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace graupel::fgdsm {

/// LLVM's, at most.
static constexpr unsigned MostTimes = 8;
/// Nodes of graphs have few neighbors. Unrolling by four would leave two
/// iterations of a row of six to the loop for the remainder.
static constexpr unsigned MostTimesOfPointers = 2;

//===-- 1. Which loops ----------------------------------------------------===//

static bool isAffine(const Value *Pointer, const Loop &L, ScalarEvolution &SE) {
  auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Pointer)));
  return Rec && Rec->getLoop() == &L && Rec->isAffine();
}

static bool isSum(const Loop &L, ScalarEvolution &SE) {
  if (!L.isInnermost() || L.getNumBlocks() != 1 ||
      !isa<BranchInst>(L.getHeader()->getTerminator()) ||
      SE.getSmallConstantTripCount(&L) != 0 ||
      !SE.hasLoopInvariantBackedgeTakenCount(&L) ||
      getOptionalBoolLoopAttribute(&L, "llvm.loop.isvectorized"))
    return false;
  for (const char *Option :
       {"llvm.loop.unroll.disable", "llvm.loop.unroll.enable",
        "llvm.loop.unroll.full", "llvm.loop.unroll.count",
        "llvm.loop.unroll.runtime.disable"})
    if (findOptionMDForLoop(&L, Option))
      return false;
  bool Affine = false, Other = false;
  for (const Instruction &I : *L.getHeader()) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load) {
      if (I.mayHaveSideEffects() || I.mayReadFromMemory())
        return false;
      continue;
    }
    if (!Load->isSimple())
      return false;
    if (isAffine(Load->getPointerOperand(), L, SE))
      Affine = true;
    else if (Load->getType()->isFloatTy() || Load->getType()->isDoubleTy())
      Other = true;
    else
      return false;
  }
  return Affine && Other && any_of(L.getHeader()->phis(), [](PHINode &Phi) {
           return Phi.getType()->isFloatTy() || Phi.getType()->isDoubleTy();
         });
}

static SmallVector<Loop *, 4> findSums(Function &F,
                                       FunctionAnalysisManager &FAM) {
  SmallVector<Loop *, 4> Sums;
  if (F.hasOptSize() || F.hasFnAttribute(NoCheckAttribute))
    return Sums;
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (isSum(*L, SE))
      Sums.push_back(L);
  return Sums;
}

PreservedAnalyses RolledPrinterPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  OS << "Rolled loops of function '" << F.getName() << "':\n";
  for (const Loop *L : findSums(F, FAM))
    OS << "  loop '" << L->getHeader()->getName() << "'\n";
  return PreservedAnalyses::all();
}

//===-- 2. Before ---------------------------------------------------------===//

PreservedAnalyses KeepRolledPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  for (Loop *L : findSums(F, FAM)) {
    addStringMetadataToLoop(L, "llvm.loop.unroll.runtime.disable");
    addStringMetadataToLoop(L, RolledLoopMetadataName);
  }
  return PreservedAnalyses::all();
}

//===-- 3. Behind ---------------------------------------------------------===//

/// Whether the numbers are found by pointers and not by indices.
static bool followsPointers(const Loop &L) {
  return any_of(*L.getHeader(), [](const Instruction &I) {
    return isa<LoadInst>(I) && I.getType()->isPointerTy();
  });
}

/// The unroll factor that the target prefers.
static unsigned timesOf(Loop &L, ScalarEvolution &SE,
                        const TargetTransformInfo &TTI,
                        OptimizationRemarkEmitter &ORE) {
  TargetTransformInfo::UnrollingPreferences Likes = {};
  Likes.BEInsns = 2;
  TTI.getUnrollingPreferences(&L, SE, Likes, &ORE);
  if (!Likes.Runtime)
    return 1;
  const unsigned Size = count_if(*L.getHeader(), [](const Instruction &I) {
    return !isa<PHINode, GetElementPtrInst, CastInst>(I) &&
           !I.isDebugOrPseudoInst();
  });
  // The instructions that end the loop are not repeated.
  unsigned Times = followsPointers(L) ? MostTimesOfPointers : MostTimes;
  while (Times * (Size - Likes.BEInsns) + Likes.BEInsns >
         Likes.PartialThreshold)
    Times /= 2;
  return Times;
}

static bool unroll(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 4> Rolled;
  for (Loop *L : LI.getLoopsInPreorder())
    if (findStringMetadataForLoop(L, RolledLoopMetadataName) &&
        L->isInnermost() && L->getNumBlocks() == 1 && L->isSafeToClone() &&
        !getOptionalBoolLoopAttribute(L, "llvm.loop.isvectorized"))
      Rolled.push_back(L);
  if (Rolled.empty())
    return false;
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  OptimizationRemarkEmitter ORE(&F);
  UnrollLoopOptions Options;
  Options.Force = false;
  Options.Runtime = true;
  Options.AllowExpensiveTripCount = false;
  Options.UnrollRemainder = false;
  Options.ForgetAllSCEV = false;
  Options.SCEVExpansionBudget = 4;
  for (Loop *L : Rolled) {
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L->getOutermostLoop(), DT, &LI, &SE);
    Options.Count = timesOf(*L, SE, TTI, ORE);
    if (Options.Count > 1)
      UnrollLoop(L, Options, &LI, &SE, &DT, &AC, &TTI, &ORE,
                 /*PreserveLCSSA=*/true);
  }
  return true;
}

PreservedAnalyses LateUnrollingPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= unroll(F, FAM);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
