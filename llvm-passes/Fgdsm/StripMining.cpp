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
// 2. Bound the loop by the strip: an induction variable that the exit compares
//    already is compared with its value at the end of the strip.
// 3. Mark the ranges, and the accesses that they cover.
//
// Counts are of iterations left after the first one, so that nothing overflows.
//
//===----------------------------------------------------------------------===//

#include "StripMining.h"
#include "StripPlan.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "fgdsm"

using namespace llvm;
using namespace graupel::fgdsm;

namespace {

class Miner {
public:
  Miner(Function &F, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT)
      : F(F), LI(LI), SE(SE), DT(DT), I64(Type::getInt64Ty(F.getContext())) {}

  void mine(const LoopPlan &Plan);

private:
  void wrap(Loop &L);
  void boundInner(Loop &L, const LoopPlan &Plan);
  Value *stripBound(Loop &L, Value *IV, IRBuilder<> &B);
  void mark(const LoopPlan &Plan, Instruction *Before);
  Value *expand(const SCEV *S, Type *Ty, Instruction *Before);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Type *I64;
  uint64_t NextID = 1;

  // Of the loop at work.
  BasicBlock *Preheader = nullptr, *Strip = nullptr, *Latch = nullptr,
             *StripEnd = nullptr, *StripNext = nullptr, *Exit = nullptr;
  DebugLoc Loc;
  PHINode *Left = nullptr, *Done = nullptr;
  Value *Ahead = nullptr;
  DenseMap<PHINode *, PHINode *> Carried;
};

} // namespace

Value *Miner::expand(const SCEV *S, Type *Ty, Instruction *Before) {
  SCEVExpander Expander(SE, "strip", /*PreserveLCSSA=*/false);
  return Expander.expandCodeFor(S, Ty, Before->getIterator());
}

//===----------------------------------------------------------------------===//
// 1. The loop around the loop
//===----------------------------------------------------------------------===//

void Miner::wrap(Loop &L) {
  LLVMContext &C = F.getContext();
  BasicBlock *Header = L.getHeader();
  Preheader = L.getLoopPreheader();
  Latch = L.getLoopLatch();
  Exit = L.getExitBlock();
  Loc = L.getStartLoc();
  Strip = BasicBlock::Create(C, "strip", &F, Header);
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

  // What leaves the loop, and what it carries on, passes through StripEnd.
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
  for (PHINode &Phi : Header->phis())
    Carried[&Phi]->addIncoming(Pass(Phi.getIncomingValueForBlock(Latch)),
                               StripNext);
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

//===----------------------------------------------------------------------===//
// 2. The bound of a strip
//===----------------------------------------------------------------------===//

/// The value that IV, an affine function of L's iteration, has in the last
/// iteration of the strip; null if IV does not tell the iterations of a strip
/// apart.
Value *Miner::stripBound(Loop &L, Value *IV, IRBuilder<> &B) {
  if (!IV->getType()->isPointerTy() && !IV->getType()->isIntegerTy())
    return nullptr;
  auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(IV));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return nullptr;
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  unsigned Bits = SE.getTypeSizeInBits(Rec->getType());
  // A strip has fewer than 2^13 iterations.
  if (!Step || Bits < 32 || Bits > 64 ||
      Step->getAPInt().getSignificantBits() > Bits - 14)
    return nullptr;

  // IV is Base, as it is in the strip's first iteration, and By, Count times.
  Value *Base = nullptr, *Count = Ahead;
  for (auto &[Phi, Outer] : Carried) {
    if (Phi == IV)
      Base = Outer;
    else if (Phi->getIncomingValueForBlock(Latch) == IV &&
             SE.getSCEV(Phi) == SE.getMinusSCEV(Rec, Step)) {
      Base = Outer;
      Count = B.CreateAdd(Ahead, ConstantInt::get(I64, 1), "strip.length");
    }
    if (Base)
      break;
  }
  if (!Base) {
    Base = expand(Rec->getStart(), Rec->getStart()->getType(),
                  Preheader->getTerminator());
    Count = B.CreateAdd(Done, Ahead);
  }
  Value *By = ConstantInt::getSigned(I64, Step->getAPInt().getSExtValue());
  Value *Offset = B.CreateMul(Count, By);
  if (Base->getType()->isPointerTy())
    return B.CreatePtrAdd(Base, Offset, "strip.bound");
  return B.CreateAdd(Base, B.CreateTrunc(Offset, Base->getType()),
                     "strip.bound");
}

void Miner::boundInner(Loop &L, const LoopPlan &Plan) {
  Value *Last =
      expand(Plan.Last, Plan.Last->getType(), Preheader->getTerminator());
  {
    IRBuilder<> B(Preheader->getTerminator());
    Last = B.CreateZExtOrTrunc(Last, I64);
  }
  IRBuilder<> B(Strip, Strip->begin());
  B.SetCurrentDebugLocation(Loc);
  Value *K = ConstantInt::get(I64, Plan.StripLength);
  Left = B.CreatePHI(I64, 2, "strip.left");
  Done = B.CreatePHI(I64, 2, "strip.done");
  Left->addIncoming(Last, Preheader);
  Done->addIncoming(ConstantInt::get(I64, 0), Preheader);
  B.SetInsertPoint(Strip->getTerminator());
  Ahead = B.CreateBinaryIntrinsic(Intrinsic::umin, Left,
                                  ConstantInt::get(I64, Plan.StripLength - 1),
                                  nullptr, "strip.ahead");

  B.SetInsertPoint(StripEnd);
  B.CreateCondBr(B.CreateICmpULT(Left, K, "strip.last"), Exit, StripNext);
  B.SetInsertPoint(StripNext->getTerminator());
  Left->addIncoming(B.CreateSub(Left, K, "", /*NUW=*/true), StripNext);
  Done->addIncoming(B.CreateAdd(Done, K, "", /*NUW=*/true), StripNext);

  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  Value *Old = Branch->getCondition();
  B.SetInsertPoint(Strip->getTerminator());
  Value *IV = nullptr, *Bound = nullptr;
  if (auto *Compare = dyn_cast<ICmpInst>(Old))
    for (Value *Operand : Compare->operands())
      if ((Bound = stripBound(L, IV = Operand, B)))
        break;
  if (!Bound)
    for (auto &[Phi, Outer] : Carried)
      if ((Bound = stripBound(L, IV = Phi->getIncomingValueForBlock(Latch), B)))
        break;
  if (!Bound) {
    // Nothing to count with: count.
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    PHINode *Counter = B.CreatePHI(I64, 2, "strip.count");
    Counter->addIncoming(ConstantInt::get(I64, 0), Strip);
    B.SetInsertPoint(Branch);
    Counter->addIncoming(B.CreateAdd(Counter, ConstantInt::get(I64, 1)), Latch);
    IV = Counter;
    Bound = Ahead;
  }
  B.SetInsertPoint(Branch);
  B.SetCurrentDebugLocation(Branch->getDebugLoc());
  Branch->setCondition(B.CreateICmp(Branch->getSuccessor(0) == StripEnd
                                        ? ICmpInst::ICMP_EQ
                                        : ICmpInst::ICMP_NE,
                                    IV, Bound, "strip.done"));
  RecursivelyDeleteTriviallyDeadInstructions(Old);
}

//===----------------------------------------------------------------------===//
// 3. Markers
//===----------------------------------------------------------------------===//

/// Marks the streams of a strip before an instruction that the strip begins
/// with. Ahead and Done describe the strip.
void Miner::mark(const LoopPlan &Plan, Instruction *Before) {
  LLVMContext &C = F.getContext();
  Module &M = *F.getParent();
  FunctionCallee Marker = M.getOrInsertFunction(
      RangeMarkerName, Type::getVoidTy(C), PointerType::get(C, 0), I64,
      Type::getInt1Ty(C), I64);
  for (const Stream &S : Plan.Streams) {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(S.Covers.front()->getDebugLoc());
    Value *Start =
        expand(S.First, PointerType::get(C, 0), Preheader->getTerminator());
    Value *Bytes = ConstantInt::get(I64, S.Extent);
    if (S.Step) {
      Value *Step = ConstantInt::getSigned(I64, S.Step);
      Value *Begin = Done;
      if (S.Step < 0)
        Begin = Begin ? B.CreateAdd(Begin, Ahead) : Ahead;
      if (Begin)
        Start = B.CreatePtrAdd(Start, B.CreateMul(Begin, Step), "strip.start");
      Value *Advance = ConstantInt::get(
          I64, S.Step < 0 ? -static_cast<uint64_t>(S.Step) : S.Step);
      Bytes = B.CreateAdd(B.CreateMul(Ahead, Advance), Bytes, "strip.bytes");
    }
    CallInst *Call = B.CreateCall(
        Marker, {Start, Bytes, B.getInt1(S.Store), B.getInt64(NextID)});
    if (!isa<Constant>(Bytes))
      Call->addParamAttr(
          1, Attribute::get(C, Attribute::Range,
                            ConstantRange(APInt(64, 1), APInt(64, 4097))));
    MDNode *Covered =
        MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(I64, NextID)));
    for (Instruction *I : S.Covers)
      I->setMetadata(CoveredMetadataName, Covered);
    ++NextID;
  }
}

void Miner::mine(const LoopPlan &Plan) {
  Loop &L = *Plan.L;
  if (Plan.StripLength) {
    wrap(L);
    boundInner(L, Plan);
    mark(Plan, Strip->getTerminator());
    IRBuilder<> B(StripNext, StripNext->begin());
    B.SetCurrentDebugLocation(Loc);
    B.CreateCall(
        F.getParent()->getOrInsertFunction(PollMarkerName, B.getVoidTy()));
    addStringMetadataToLoop(L.getParentLoop(), StripLoopMetadataName);
  } else {
    Preheader = L.getLoopPreheader();
    Instruction *Before = Preheader->getTerminator();
    Done = nullptr;
    Ahead = expand(Plan.Last, Plan.Last->getType(), Before);
    Ahead = IRBuilder<>(Before).CreateZExtOrTrunc(Ahead, I64);
    mark(Plan, Before);
  }
  addStringMetadataToLoop(&L, StripLoopMetadataName);
  SE.forgetLoop(&L);
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

PreservedAnalyses StripMiningPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  for (Loop *L : LI.getTopLevelLoops()) {
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L, DT, &LI, &SE);
  }

  StripFacts Facts(F, FAM);
  Miner M(F, LI, SE, DT);
  for (const LoopPlan &Plan : planStrips(LI, SE, DT, Facts.queries())) {
    remark(Plan, ORE);
    if (Plan.Refusal.empty())
      M.mine(Plan);
  }
  return PreservedAnalyses::none();
}
