//===- StripBounds.cpp - Where a strip ends -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 2 of StripMining.cpp: the counter, and its value in the last iteration
// of a strip.
//
// 1. chooseCounter: take an operand of the latch's comparison, else the latch
//    value of a header phi, that is affine with a constant step. The step must
//    be so small that the values in a strip differ.
// 2. chooseWhole: decide whether an inner loop is expected to be one strip. It
//    has at most one stream, checks of its own, a step that is a power of two,
//    and ends when the counter meets an invariant value.
// 3. boundInner: make the count of done iterations and bound the strip, by 4 or
//    by 5.
// 4. boundWhole: compare the distance to the loop's end with a strip. If the
//    rest fits, the bound is that end; else the block strip.cut computes the
//    bound.
// 5. boundByCount: count the iterations that are left. The strip has the lesser
//    of these and its length, which a measured plan computes at run time
//    (stripLength). stripBound turns that number into a value of the counter.
// 6. boundInner: compare the counter with the bound in the latch, or a new
//    count if there is no counter. splitWeights divides the profile's weights
//    between both loops.
//
//===----------------------------------------------------------------------===//

#include "StripMiner.h"
#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace graupel::fgdsm;

/// Whether IV is an affine function of L's iteration that tells the iterations
/// of a strip apart.
bool StripMiner::counts(Loop &L, Value *IV) {
  if (!IV->getType()->isPointerTy() && !IV->getType()->isIntegerTy())
    return false;
  auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(IV));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  unsigned Bits = SE.getTypeSizeInBits(Rec->getType());
  // A strip has at most 2^13 iterations.
  if (!Step || Bits < 32 || Bits > 64 ||
      Step->getAPInt().getSignificantBits() > Bits - 14)
    return false;

  Counter = {IV, Rec->getStart(), Step->getAPInt().getSExtValue(), nullptr, 0};
  for (PHINode &Phi : L.getHeader()->phis())
    if (&Phi == IV)
      Counter.Phi = &Phi;
    else if (Phi.getIncomingValueForBlock(L.getLoopLatch()) == IV &&
             SE.getSCEV(&Phi) == SE.getMinusSCEV(Rec, Step)) {
      Counter.Phi = &Phi;
      Counter.Ahead = 1;
    }
  return true;
}

/// Before the loop is changed, as what is known of it is known of the loop that
/// it was.
void StripMiner::chooseCounter(Loop &L) {
  auto *Branch = cast<BranchInst>(L.getLoopLatch()->getTerminator());
  if (auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition()))
    for (Value *Operand : Compare->operands())
      if (counts(L, Operand))
        return;
  for (PHINode &Phi : L.getHeader()->phis())
    if (counts(L, Phi.getIncomingValueForBlock(L.getLoopLatch())))
      return;
  Counter = {};
}

/// Loops within loops are often so short that they are one strip, and then
/// what describes strips is most of their cost, above all if slow paths within
/// the loop make it hold that. If the loop ends when its counter meets a value
/// known beforehand, that value is the end of a strip that fits, and no other
/// counts are needed. With several streams the tests of their ranges cost more.
void StripMiner::chooseWhole(Loop &L, const LoopPlan &Plan) {
  Whole = nullptr;
  Advances.clear();
  auto *Branch = cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!L.getParentLoop() || Plan.Measured || !Plan.OwnChecks ||
      Plan.Streams.size() > 1 || !Counter.Phi || !Compare ||
      !Compare->isEquality())
    return;
  // Other steps might pass the end and meet it later, having wrapped.
  if (!isPowerOf2_64(magnitude(Counter.Step)))
    return;
  for (unsigned Side : {0, 1})
    if (Compare->getOperand(Side) == Counter.IV &&
        L.isLoopInvariant(Compare->getOperand(1 - Side)))
      Whole = Compare->getOperand(1 - Side);
  if (!Whole)
    return;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()))
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
      continue;
    const SCEV *Step = Rec->getStepRecurrence(SE);
    const SCEV *K = SE.getConstant(Step->getType(), Plan.StripLength);
    if (auto *By = dyn_cast<SCEVConstant>(SE.getMulExpr(Step, K)))
      Advances[&Phi] = By;
  }
}

/// The distance of the counter at End from its value in the strip's first
/// iteration, in either direction.
Value *StripMiner::counted(IRBuilder<> &B, Value *End) {
  Value *From = Carried[Counter.Phi];
  int64_t First = Counter.Ahead ? Counter.Step : 0;
  if (End->getType()->isPointerTy()) {
    From = B.CreatePtrToInt(From, I64);
    End = B.CreatePtrToInt(End, I64);
  }
  if (First)
    From = B.CreateAdd(From, ConstantInt::getSigned(From->getType(), First));
  return B.CreateZExt(Counter.Step < 0 ? B.CreateSub(From, End)
                                       : B.CreateSub(End, From),
                      I64, "strip.counted");
}

/// Bounds a strip that may be all that is left, which then passes by the
/// computation of its end. Sets Ahead and Enter; returns the bound.
Value *StripMiner::boundWhole(const LoopPlan &Plan) {
  LLVMContext &C = F.getContext();
  const uint64_t Scale = magnitude(Counter.Step);
  Enter = SplitBlock(Strip, Strip->getTerminator(), &DT, &LI, nullptr,
                     "strip.enter");
  BasicBlock *Cut = BasicBlock::Create(C, "strip.cut", &F, StripEnd);
  LI.getLoopFor(Strip)->addBasicBlockToLoop(Cut, LI);
  DT.addNewBlock(Cut, Strip);
  IRBuilder<> B(Cut);
  B.SetCurrentDebugLocation(Loc);
  Value *End = stripBound(B, B.getInt64(Plan.StripLength - 1));
  B.CreateBr(Enter);

  Instruction *Old = Strip->getTerminator();
  B.SetInsertPoint(Old);
  Value *Rest = counted(B, Whole);
  Value *Fits = B.CreateICmpULT(Rest, B.getInt64(Plan.StripLength * Scale),
                                "strip.whole");
  B.CreateCondBr(Fits, Enter, Cut, MDBuilder(C).createLikelyBranchWeights());
  Old->eraseFromParent();

  B.SetInsertPoint(Enter, Enter->begin());
  auto Choose = [&](Value *IfFits, Value *IfCut, const Twine &Name) {
    PHINode *Phi = B.CreatePHI(IfFits->getType(), 2, Name);
    Phi->addIncoming(IfFits, Strip);
    Phi->addIncoming(IfCut, Cut);
    return Phi;
  };
  Value *Bound = Choose(Whole, End, "strip.until");
  Ahead =
      Choose(Rest, B.getInt64((Plan.StripLength - 1) * Scale), "strip.ahead");
  AheadScale = Scale;

  B.SetInsertPoint(StripEnd);
  B.CreateCondBr(B.CreateICmpEQ(Bound, Whole, "strip.last"), Exit, StripNext);
  B.SetInsertPoint(StripNext->getTerminator());
  Done->addIncoming(B.CreateAdd(Done, B.getInt64(Plan.StripLength), "",
                                /*NUW=*/true),
                    StripNext);
  return Bound;
}

/// Counts the strip's iterations. Sets Ahead; returns the bound of the loop's
/// counter, if it has one.
Value *StripMiner::boundByCount(const LoopPlan &Plan) {
  Value *Last =
      expand(Plan.Last, Plan.Last->getType(), Preheader->getTerminator());
  Last = IRBuilder<>(Preheader->getTerminator()).CreateZExtOrTrunc(Last, I64);
  IRBuilder<> B(Strip, Strip->begin());
  B.SetCurrentDebugLocation(Loc);
  Value *K = stripLength(Plan);
  Value *Most = ConstantInt::get(I64, Plan.StripLength - 1);
  if (Plan.Measured)
    Most = IRBuilder<>(Preheader->getTerminator())
               .CreateSub(K, ConstantInt::get(I64, 1));
  PHINode *Left = B.CreatePHI(I64, 2, "strip.left");
  Left->addIncoming(Last, Preheader);
  B.SetInsertPoint(Strip->getTerminator());
  Ahead = B.CreateBinaryIntrinsic(Intrinsic::umin, Left, Most, nullptr,
                                  "strip.ahead");
  Value *Bound = Counter.IV ? stripBound(B, Ahead) : nullptr;

  B.SetInsertPoint(StripEnd);
  B.CreateCondBr(B.CreateICmpULT(Left, K, "strip.last"), Exit, StripNext);
  B.SetInsertPoint(StripNext->getTerminator());
  Left->addIncoming(B.CreateSub(Left, K, "", /*NUW=*/true), StripNext);
  Done->addIncoming(B.CreateAdd(Done, K, "", /*NUW=*/true), StripNext);
  return Bound;
}

/// The counter's value in the iteration of the strip that is Ahead iterations
/// after the first.
Value *StripMiner::stripBound(IRBuilder<> &B, Value *Ahead) {
  Value *Base = nullptr, *Count = Ahead;
  if (Counter.Phi) {
    Base = Carried[Counter.Phi];
    if (Counter.Ahead)
      Count = B.CreateAdd(Ahead, ConstantInt::get(I64, Counter.Ahead),
                          "strip.length");
  } else {
    Base = expand(Counter.Start, Counter.IV->getType(),
                  Preheader->getTerminator());
    Count = B.CreateAdd(Done, Ahead);
  }
  Value *Offset = B.CreateMul(Count, ConstantInt::getSigned(I64, Counter.Step));
  if (Base->getType()->isPointerTy())
    return B.CreatePtrAdd(Base, Offset, "strip.bound");
  return B.CreateAdd(Base, B.CreateTrunc(Offset, Base->getType()),
                     "strip.bound");
}

/// The iterations of a full strip. Steps and extents have at most 13 bits if
/// they are not constant.
Value *StripMiner::stripLength(const LoopPlan &Plan) {
  Value *Most = ConstantInt::get(I64, Plan.StripLength);
  if (!Plan.Measured)
    return Most;
  const SCEV *Step = SE.getConstant(I64, 1), *Extent = SE.getConstant(I64, 0);
  for (const Stream &S : Plan.Streams)
    if (!S.Step->isZero()) {
      auto *Constant = dyn_cast<SCEVConstant>(S.Step);
      Step = SE.getUMaxExpr(Step, Constant && Constant->getAPInt().isNegative()
                                      ? SE.getNegativeSCEV(S.Step)
                                      : S.Step);
      Extent = SE.getUMaxExpr(Extent, S.Extent);
    }
  Instruction *Before = Preheader->getTerminator();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  Value *Room =
      B.CreateSub(ConstantInt::get(I64, MaxRange), expand(Extent, I64, Before));
  Type *I32 = B.getInt32Ty();
  Value *More = B.CreateUDiv(B.CreateTrunc(Room, I32),
                             B.CreateTrunc(expand(Step, I64, Before), I32));
  return B.CreateBinaryIntrinsic(
      Intrinsic::umin,
      B.CreateAdd(B.CreateZExt(More, I64), ConstantInt::get(I64, 1)), Most,
      nullptr, "strip.most");
}

void StripMiner::boundInner(Loop &L, const LoopPlan &Plan) {
  IRBuilder<> B(Strip, Strip->begin());
  B.SetCurrentDebugLocation(Loc);
  Done = B.CreatePHI(I64, 2, "strip.done");
  Done->addIncoming(ConstantInt::get(I64, 0), Preheader);
  Value *Bound = Whole ? boundWhole(Plan) : boundByCount(Plan);

  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  Value *Old = Branch->getCondition();
  Value *IV = Counter.IV;
  if (!IV) {
    // Nothing to count with: count.
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    PHINode *Count = B.CreatePHI(I64, 2, "strip.count");
    Count->addIncoming(ConstantInt::get(I64, 0), Strip);
    B.SetInsertPoint(Branch);
    Count->addIncoming(B.CreateAdd(Count, ConstantInt::get(I64, 1)), Latch);
    IV = Count;
    Bound = Ahead;
  }
  B.SetInsertPoint(Branch);
  B.SetCurrentDebugLocation(Branch->getDebugLoc());
  Branch->setCondition(B.CreateICmp(Branch->getSuccessor(0) == StripEnd
                                        ? ICmpInst::ICMP_EQ
                                        : ICmpInst::ICMP_NE,
                                    IV, Bound, "strip.over"));
  RecursivelyDeleteTriviallyDeadInstructions(Old);
}

/// A profile that counted the loop's iterations tells how many strips there
/// are.
void StripMiner::splitWeights(const LoopPlan &Plan) {
  auto *Inner = cast<BranchInst>(Latch->getTerminator());
  uint64_t Taken = 0, NotTaken = 0;
  if (!extractBranchWeights(*Inner, Taken, NotTaken))
    return;
  bool LeavesIfTaken = Inner->getSuccessor(0) == StripEnd;
  uint64_t Leaves = std::max<uint64_t>(LeavesIfTaken ? Taken : NotTaken, 1);
  uint64_t Trips = (LeavesIfTaken ? NotTaken : Taken) / Leaves + 1;
  auto Weight = [](uint64_t N) {
    return static_cast<uint32_t>(std::min<uint64_t>(N, UINT32_MAX));
  };
  uint32_t Repeats = Weight(std::min(Trips, Plan.StripLength) - 1);
  setBranchWeights(*Inner,
                   LeavesIfTaken ? ArrayRef<uint32_t>{1, Repeats}
                                 : ArrayRef<uint32_t>{Repeats, 1},
                   /*IsExpected=*/false);
  setBranchWeights(*StripEnd->getTerminator(),
                   {1, Weight((Trips - 1) / Plan.StripLength)},
                   /*IsExpected=*/false);
}
