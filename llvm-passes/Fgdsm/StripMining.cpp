//===- StripMining.cpp - Loops run in checked strips ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that runs Last + 1 iterations becomes
//
//   strip:      left = Last, done = 0, or as after the last strip
//               ahead = min(left, K - 1)           iterations after the first
//               range(...) of each stream
//     body:     as it was, but for the bound of its last comparison
//   strip.end:  if (left < K) leave
//   strip.next: poll; left -= K; done += K; to strip
//
// 1. Put the new blocks around the loop. Values that the loop carries from one
//    iteration to the next are carried from one strip to the next.
// 2. Bound the loop by the strip (StripBounds.cpp): an induction variable that
//    the exit compares already is compared with its value at the end of the
//    strip.
// 3. Mark the ranges, and the accesses that they cover (StripRanges.cpp).
//
// Counts are of iterations left after the first one, so that nothing overflows.
//
// A loop within a loop that has checks of its own is expected to be one strip.
// The program compares its iterations with those of a strip, and has a loop
// whose ranges are tested before it. The copy for more, and loops too long to
// copy, go fast if all that is left is one strip:
//
//   strip:      if (end - counter < what K steps are) to strip.enter
//   strip.cut:  bound = counter + what K - 1 steps are
//   strip.enter: range(...)
//     body:     as it was; its last comparison is with end or bound
//   strip.end:  if (it was end) leave
//
//===----------------------------------------------------------------------===//

#include "StripMining.h"
#include "LateUnrolling.h"
#include "Markers.h"
#include "Options.h"
#include "SparsePolls.h"
#include "StripMiner.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "fgdsm"

using namespace llvm;
using namespace graupel::fgdsm;

//===----------------------------------------------------------------------===//
// 1. The loop around the loop
//===----------------------------------------------------------------------===//

void StripMiner::wrap(Loop &L) {
  LLVMContext &C = F.getContext();
  BasicBlock *Header = L.getHeader();
  Preheader = L.getLoopPreheader();
  Latch = L.getLoopLatch();
  Exit = L.getExitBlock();
  Loc = L.getStartLoc();
  Enter = Strip = BasicBlock::Create(C, "strip", &F, Header);
  StripEnd = BasicBlock::Create(C, "strip.end", &F, Exit);
  StripNext = BasicBlock::Create(C, "strip.next", &F, Exit);

  Preheader->getTerminator()->replaceSuccessorWith(Header, Strip);
  IRBuilder<> B(Strip);
  B.SetCurrentDebugLocation(Loc);
  Carried.clear();
  for (PHINode &Phi : Header->phis()) {
    PHINode *Outer = B.CreatePHI(Phi.getType(), 2, Phi.getName() + ".strip");
    Outer->addIncoming(Phi.getIncomingValueForBlock(Preheader), Preheader);
    Phi.replaceIncomingBlockWith(Preheader, Strip);
    Phi.setIncomingValueForBlock(Strip, Outer);
    Carried[&Phi] = Outer;
  }
  B.CreateBr(Header);

  // Values that leave the loop or that it carries on pass through StripEnd.
  Latch->getTerminator()->replaceSuccessorWith(Exit, StripEnd);
  B.SetInsertPoint(StripEnd);
  DenseMap<Value *, PHINode *> Passed;
  auto Pass = [&](Value *V) -> Value * {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return V;
    PHINode *&Phi = Passed[V];
    if (!Phi) {
      Phi = B.CreatePHI(V->getType(), 1, V->getName() + ".lcssa");
      Phi->addIncoming(V, Latch);
    }
    return Phi;
  };
  for (PHINode &Phi : Header->phis()) {
    PHINode *Outer = Carried[&Phi];
    Value *Next = nullptr;
    if (auto *By = Advances.lookup(&Phi)) {
      B.SetInsertPoint(StripNext);
      Next = Phi.getType()->isPointerTy()
                 ? B.CreatePtrAdd(Outer, By->getValue())
                 : B.CreateAdd(Outer, By->getValue());
      B.SetInsertPoint(StripEnd);
    } else {
      Next = Pass(Phi.getIncomingValueForBlock(Latch));
    }
    Outer->addIncoming(Next, StripNext);
  }
  for (PHINode &Phi : Exit->phis()) {
    int Index = Phi.getBasicBlockIndex(Latch);
    Phi.setIncomingValue(Index, Pass(Phi.getIncomingValue(Index)));
    Phi.setIncomingBlock(Index, StripEnd);
  }
  B.SetInsertPoint(StripNext);
  B.CreateBr(Strip);

  Loop *Outer = LI.AllocateLoop();
  if (Loop *Parent = L.getParentLoop())
    Parent->replaceChildLoopWith(&L, Outer);
  else
    LI.changeTopLevelLoop(&L, Outer);
  Outer->addChildLoop(&L);
  Outer->addBasicBlockToLoop(Strip, LI);
  for (BasicBlock *BB : L.blocks())
    Outer->addBlockEntry(BB);
  Outer->addBasicBlockToLoop(StripEnd, LI);
  Outer->addBasicBlockToLoop(StripNext, LI);

  DT.addNewBlock(Strip, Preheader);
  DT.changeImmediateDominator(Header, Strip);
  DT.addNewBlock(StripEnd, Latch);
  DT.addNewBlock(StripNext, StripEnd);
  if (DT.getNode(Exit)->getIDom()->getBlock() == Latch)
    DT.changeImmediateDominator(Exit, StripEnd);
}

/// Puts a copy of L beside it, for when what the program then asks does not
/// hold.
Loop *StripMiner::copyBeside(Loop &L, const char *Name,
                             function_ref<Value *(IRBuilder<> &)> Holds) {
  assert(mayCopy(L) && "the plan has no copies of such loops");
  BasicBlock *Test = L.getLoopPreheader();
  BasicBlock *Exit = L.getExitBlock();
  BasicBlock *Latch = L.getLoopLatch();
  BasicBlock *Inside =
      SplitBlock(Test, Test->getTerminator(), &DT, &LI, nullptr, Name);

  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Inside, Test, &L, Map, ".general", &LI,
                                      &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);

  Instruction *End = Test->getTerminator();
  IRBuilder<> Builder(End);
  Builder.CreateCondBr(Holds(Builder), Inside, Copy->getLoopPreheader(),
                       MDBuilder(F.getContext()).createLikelyBranchWeights());
  End->eraseFromParent();

  BasicBlock *CopyLatch = cast<BasicBlock>(Map[Latch]);
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    Value *Mapped = Map.lookup(V);
    Phi.addIncoming(Mapped ? Mapped : V, CopyLatch);
  }
  DT.changeImmediateDominator(Exit, Test);
  formDedicatedExitBlocks(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/true);
  formDedicatedExitBlocks(Copy, &DT, &LI, nullptr, /*PreserveLCSSA=*/true);
  SE.forgetTopmostLoop(&L);
  return Copy;
}

/// The copy is for when the plan's conditions do not hold.
Loop *StripMiner::keepGeneral(Loop &L, const LoopPlan &Plan) {
  return copyBeside(L, "strip.fits", [&](IRBuilder<> &B) {
    Instruction *End = &*B.GetInsertPoint();
    Value *Fits = nullptr;
    for (auto &[Small, Large] : Plan.Conditions) {
      Value *Compared = expand(Small, Small->getType(), End);
      if (Small == Plan.Last)
        Ahead = Compared;
      Value *Holds =
          B.CreateICmpULE(Compared, expand(Large, Large->getType(), End));
      Fits = Fits ? B.CreateAnd(Fits, Holds, "strip.fits") : Holds;
    }
    return Fits;
  });
}

Loop *StripMiner::mine(const LoopPlan &Plan) {
  Loop &L = *Plan.L;
  Ahead = nullptr;
  Loop *Copy = Plan.Conditions.empty() ? nullptr : keepGeneral(L, Plan);
  // One copy is enough to unroll.
  if (MDNode *Options = Copy ? Copy->getLoopID() : nullptr)
    Copy->setLoopID(makePostTransformationMetadata(
        F.getContext(), Options, {RolledLoopMetadataName}, {}));
  chooseOrigins(Plan);
  AheadScale = 1;
  if (Plan.StripLength) {
    chooseCounter(L);
    chooseWhole(L, Plan);
    wrap(L);
    boundInner(L, Plan);
    splitWeights(Plan);
    mark(Plan, Enter->getTerminator());
    RecursivelyDeleteDeadPHINode(cast<PHINode>(Done));
    IRBuilder<> B(StripNext, StripNext->begin());
    B.SetCurrentDebugLocation(Loc);
    B.CreateCall(
        F.getParent()->getOrInsertFunction(PollMarkerName, B.getVoidTy()));
    addStringMetadataToLoop(L.getParentLoop(), StripLoopMetadataName);
  } else {
    Preheader = L.getLoopPreheader();
    Instruction *Before = Preheader->getTerminator();
    Done = nullptr;
    if (!Ahead)
      Ahead = expand(Plan.Last, Plan.Last->getType(), Before);
    Ahead = IRBuilder<>(Before).CreateZExtOrTrunc(Ahead, I64);
    mark(Plan, Before);
  }
  Expander.clear();
  for (Loop *Inner : L.getLoopsInPreorder())
    if (Inner == &L || !Plan.Around)
      addStringMetadataToLoop(Inner, StripLoopMetadataName);
  if (!Plan.Areas.empty())
    copyForAreas(L, Plan);
  SE.forgetTopmostLoop(&L);
  return Copy;
}

//===----------------------------------------------------------------------===//
// Remarks and the pass
//===----------------------------------------------------------------------===//

static void remark(const LoopPlan &Plan, OptimizationRemarkEmitter &ORE) {
  const Loop &L = *Plan.L;
  DebugLoc Loc = L.getStartLoc();
  BasicBlock *Header = L.getHeader();
  if (!Plan.Refusal.empty()) {
    ORE.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "LoopNotStripMined", Loc,
                                      Header)
             << "loop not strip-mined: " << Plan.Refusal;
    });
    return;
  }
  ORE.emit([&] {
    OptimizationRemark R(DEBUG_TYPE, "LoopStripMined", Loc, Header);
    R << "loop strip-mined: ";
    if (Plan.StripLength)
      R << ore::NV("Iterations", Plan.StripLength) << " iterations a strip, ";
    else
      R << "one strip, ";
    R << ore::NV("Ranges", static_cast<unsigned>(Plan.Streams.size()))
      << (Plan.Streams.size() == 1 ? " range" : " ranges");
    return R;
  });
}

static bool mineFunction(Function &F, FunctionAnalysisManager &FAM,
                         StripFacts &Facts) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return false;
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  for (Loop *L : LI.getTopLevelLoops()) {
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L, DT, &LI, &SE);
  }

  StripQueries Ask = Facts.of(F);
  StripMiner M(F, LI, SE, DT);
  for (const LoopPlan &Plan : planStrips(LI, SE, DT, Ask)) {
    remark(Plan, ORE);
    Loop *Copy = Plan.Refusal.empty() ? M.mine(Plan) : nullptr;
    if (!Copy)
      continue;
    // The copy's accesses are not among those that Facts found.
    for (const LoopPlan &Inner : planStrips(LI, SE, DT, Facts.of(F), Copy))
      if (Inner.Refusal.empty())
        M.mine(Inner);
  }
  sparePolls(F, Facts.of(F),
             {LI, DT, SE, AC, FAM.getResult<TargetIRAnalysis>(F), ORE});
  return true;
}

PreservedAnalyses StripMiningPass::run(Module &M, ModuleAnalysisManager &MAM) {
  // The other modes check each access by itself.
  if (!minesStrips())
    return PreservedAnalyses::all();
  StripFacts Facts(M, MAM);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(DoneAttribute))
      Changed |= mineFunction(F, FAM, Facts);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
