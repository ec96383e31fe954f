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
// A loop within a loop that has checks of its own is expected to be one strip:
//
//   strip:      if (end - counter < what K steps are) to strip.enter
//   strip.cut:  bound = counter + what K - 1 steps are
//   strip.enter: range(...)
//     body:     as it was; its last comparison is with end or bound
//   strip.end:  if (it was end) leave
//
//===----------------------------------------------------------------------===//

#include "StripMining.h"
#include "Markers.h"
#include "Options.h"
#include "StripPlan.h"
#include "StripPlanner.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
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
      : F(F), LI(LI), SE(SE), DT(DT), I64(Type::getInt64Ty(F.getContext())),
        Expander(SE, "strip", /*PreserveLCSSA=*/false) {}

  /// Returns the copy of the loop that is left for sizes which the plan is not
  /// made for, or null.
  Loop *mine(const LoopPlan &Plan);

private:
  Loop *keepGeneral(Loop &L, const LoopPlan &Plan);
  void wrap(Loop &L);
  void boundInner(Loop &L, const LoopPlan &Plan);
  Value *stripLength(const LoopPlan &Plan);
  bool counts(Loop &L, Value *IV);
  void chooseCounter(Loop &L);
  void chooseWhole(Loop &L, const LoopPlan &Plan);
  Value *stripBound(IRBuilder<> &B, Value *Ahead);
  Value *counted(IRBuilder<> &B, Value *End);
  Value *boundWhole(const LoopPlan &Plan);
  Value *boundByCount(const LoopPlan &Plan);
  Value *travel(IRBuilder<> &B, const SCEV *Step);
  void splitWeights(const LoopPlan &Plan);
  bool canRestart(const Loop &L, const Value *V, unsigned &Steps) const;
  void chooseOrigins(const LoopPlan &Plan);
  Value *restart(const Loop &L, Value *V, IRBuilder<> &B);
  Value *startOf(const LoopPlan &Plan, unsigned Index, IRBuilder<> &B);
  void mark(const LoopPlan &Plan, Instruction *Before);
  Value *expand(const SCEV *S, Type *Ty, Instruction *Before);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Type *I64;
  SCEVExpander Expander;
  uint64_t NextID = 1;

  // Of the loop at work.
  BasicBlock *Preheader = nullptr, *Strip = nullptr, *Enter = nullptr,
             *Latch = nullptr, *StripEnd = nullptr, *StripNext = nullptr,
             *Exit = nullptr;
  DebugLoc Loc;
  PHINode *Done = nullptr;
  /// The strip's iterations after its first one, so many times.
  Value *Ahead = nullptr;
  uint64_t AheadScale = 1;
  DenseMap<PHINode *, PHINode *> Carried;
  /// What the loop's last comparison uses: an induction variable, or one that
  /// is so many steps ahead of Phi.
  struct {
    Value *IV = nullptr;
    const SCEV *Start = nullptr;
    int64_t Step = 0;
    PHINode *Phi = nullptr;
    unsigned Ahead = 0;
  } Counter;
  /// What the counter is in the loop's last iteration, if the loop is expected
  /// to be one strip; or null.
  Value *Whole = nullptr;
  /// In such a loop: by how much a strip advances what it carries.
  DenseMap<PHINode *, const SCEVConstant *> Advances;
  /// By stream: an address in the loop's first iteration that lies so many
  /// bytes behind the stream's beginning, or null.
  struct Origin {
    Value *Pointer = nullptr;
    int64_t Behind = 0;
  };
  SmallVector<Origin, 8> Origins;
  /// What restart has computed.
  DenseMap<Value *, Value *> Restarted;
};

} // namespace

Value *Miner::expand(const SCEV *S, Type *Ty, Instruction *Before) {
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

/// Puts a copy of L beside it, for when the plan's conditions do not hold.
Loop *Miner::keepGeneral(Loop &L, const LoopPlan &Plan) {
  BasicBlock *Test = L.getLoopPreheader();
  BasicBlock *Exit = L.getExitBlock();
  BasicBlock *Latch = L.getLoopLatch();
  BasicBlock *Inside =
      SplitBlock(Test, Test->getTerminator(), &DT, &LI, nullptr, "strip.fits");

  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Inside, Test, &L, Map, ".general", &LI,
                                      &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);

  Instruction *End = Test->getTerminator();
  Value *Fits = nullptr;
  for (auto &[Small, Large] : Plan.Conditions) {
    Value *A = expand(Small, Small->getType(), End);
    Value *B = expand(Large, Large->getType(), End);
    IRBuilder<> Builder(End);
    Value *Holds = Builder.CreateICmpULE(A, B);
    Fits = Fits ? Builder.CreateAnd(Fits, Holds, "strip.fits") : Holds;
  }
  IRBuilder<> Builder(End);
  Builder.CreateCondBr(Fits, Inside, Copy->getLoopPreheader());
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

//===----------------------------------------------------------------------===//
// 2. The bound of a strip
//===----------------------------------------------------------------------===//

/// Whether IV is an affine function of L's iteration that tells the iterations
/// of a strip apart.
bool Miner::counts(Loop &L, Value *IV) {
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
void Miner::chooseCounter(Loop &L) {
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
void Miner::chooseWhole(Loop &L, const LoopPlan &Plan) {
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

/// How far the counter is at End from where it is in the strip's first
/// iteration, in either direction.
Value *Miner::counted(IRBuilder<> &B, Value *End) {
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
Value *Miner::boundWhole(const LoopPlan &Plan) {
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
Value *Miner::boundByCount(const LoopPlan &Plan) {
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

/// What the counter is in the last of so many iterations of the strip, after
/// the first.
Value *Miner::stripBound(IRBuilder<> &B, Value *Ahead) {
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
Value *Miner::stripLength(const LoopPlan &Plan) {
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

void Miner::boundInner(Loop &L, const LoopPlan &Plan) {
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
void Miner::splitWeights(const LoopPlan &Plan) {
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

//===----------------------------------------------------------------------===//
// 3. Markers
//===----------------------------------------------------------------------===//

/// Whether V can be computed for the strip's first iteration from what the loop
/// carries into it, in few steps.
bool Miner::canRestart(const Loop &L, const Value *V, unsigned &Steps) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    const Loop *Of = LI.getLoopFor(Phi->getParent());
    return Phi->getParent() == Of->getHeader() &&
           (Of == &L ||
            canRestart(L, Phi->getIncomingValueForBlock(Of->getLoopPreheader()),
                       Steps));
  }
  if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(I) || Steps == 0 ||
      !isSafeToSpeculativelyExecute(I))
    return false;
  --Steps;
  return all_of(I->operands(), [&](const Use &Operand) {
    return canRestart(L, Operand, Steps);
  });
}

/// An address in the loop's first iteration: the start of all that it is a
/// function of.
static const SCEV *atStart(const SCEV *Address, const Loop &L) {
  while (auto *Rec = dyn_cast<SCEVAddRecExpr>(Address)) {
    if (!L.contains(Rec->getLoop()))
      break;
    Address = Rec->getStart();
  }
  return Address;
}

/// Addresses that the loop computes anyhow, relative to which ranges begin;
/// before the loop is changed. Ranges that counted strips by themselves would
/// hold a register or two each across the loop.
void Miner::chooseOrigins(const LoopPlan &Plan) {
  static constexpr unsigned MostSteps = 4;
  Origins.assign(Plan.Streams.size(), {});
  Restarted.clear();
  if (!Plan.StripLength)
    return;
  for (auto [Chosen, S] : zip_equal(Origins, Plan.Streams)) {
    if (S.Step->isZero())
      continue;
    for (Instruction *I : S.Covers) {
      std::optional<StripAccess> A = simpleAccess(*I);
      unsigned Steps = MostSteps;
      if (!A || !canRestart(*Plan.L, A->Pointer, Steps))
        continue;
      const SCEV *First = atStart(SE.getSCEV(A->Pointer), *Plan.L);
      auto *Behind = dyn_cast<SCEVConstant>(SE.getMinusSCEV(First, S.First));
      if (!Behind || Behind->getAPInt().getSignificantBits() > 32)
        continue;
      Chosen = {A->Pointer, Behind->getAPInt().getSExtValue()};
      if (Chosen.Behind == 0)
        break;
    }
  }
}

Value *Miner::restart(const Loop &L, Value *V, IRBuilder<> &B) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Known = Restarted.lookup(V))
    return Known;
  Value *Result;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    Loop *Of = LI.getLoopFor(Phi->getParent());
    Result =
        Of != &L
            ? restart(L, Phi->getIncomingValueForBlock(Of->getLoopPreheader()),
                      B)
            : Carried.lookup(Phi);
  } else {
    Instruction *Copy = I->clone();
    for (Use &Operand : Copy->operands())
      Operand.set(restart(L, Operand, B));
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUnknownNonDebugMetadata();
    Result = B.Insert(Copy, I->getName());
  }
  Restarted[V] = Result;
  return Result;
}

/// Where the stream begins in the strip's first iteration.
Value *Miner::startOf(const LoopPlan &Plan, unsigned Index, IRBuilder<> &B) {
  const Stream &S = Plan.Streams[Index];
  const Origin &From = Origins[Index];
  if (From.Pointer) {
    Value *Start = restart(*Plan.L, From.Pointer, B);
    return From.Behind ? B.CreatePtrAdd(Start, B.getInt64(-From.Behind))
                       : Start;
  }
  Instruction *Outside = Preheader->getTerminator();
  Value *Start = expand(S.First, B.getPtrTy(), Outside);
  if (!Done || S.Step->isZero())
    return Start;
  return B.CreatePtrAdd(Start, B.CreateMul(Done, expand(S.Step, I64, Outside)));
}

/// How far a stream with this step moves in a strip.
Value *Miner::travel(IRBuilder<> &B, const SCEV *Step) {
  Value *Iterations = Ahead;
  if (AheadScale != 1) {
    auto *Constant = dyn_cast<SCEVConstant>(Step);
    if (Constant && Constant->getAPInt().srem(AheadScale) == 0)
      Step = SE.getConstant(Constant->getAPInt().sdiv(AheadScale));
    else
      Iterations = B.CreateLShr(Ahead, Log2_64(AheadScale));
  }
  return B.CreateMul(Iterations, expand(Step, I64, Preheader->getTerminator()));
}

/// Marks the streams of a strip before an instruction that the strip begins
/// with. Ahead and Done describe the strip.
void Miner::mark(const LoopPlan &Plan, Instruction *Before) {
  LLVMContext &C = F.getContext();
  Module &M = *F.getParent();
  FunctionCallee Marker = M.getOrInsertFunction(
      RangeMarkerName, Type::getVoidTy(C), PointerType::get(C, 0), I64,
      Type::getInt1Ty(C), I64);
  for (unsigned Index = 0; Index != Plan.Streams.size(); ++Index) {
    const Stream &S = Plan.Streams[Index];
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(S.Covers.front()->getDebugLoc());
    Instruction *Outside = Preheader->getTerminator();
    Value *Start = startOf(Plan, Index, B);
    Value *Bytes = expand(S.Extent, I64, Outside);
    if (!S.Step->isZero()) {
      const SCEV *Advance = S.Step;
      auto *Constant = dyn_cast<SCEVConstant>(S.Step);
      if (Constant && Constant->getAPInt().isNegative()) {
        Advance = SE.getNegativeSCEV(S.Step);
        Start = B.CreatePtrAdd(Start, travel(B, S.Step), "strip.start");
      }
      Bytes = B.CreateAdd(travel(B, Advance), Bytes, "strip.bytes");
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

Loop *Miner::mine(const LoopPlan &Plan) {
  Loop &L = *Plan.L;
  Loop *Copy = Plan.Conditions.empty() ? nullptr : keepGeneral(L, Plan);
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
    Ahead = expand(Plan.Last, Plan.Last->getType(), Before);
    Ahead = IRBuilder<>(Before).CreateZExtOrTrunc(Ahead, I64);
    mark(Plan, Before);
  }
  Expander.clear();
  for (Loop *Inner : L.getLoopsInPreorder())
    addStringMetadataToLoop(Inner, StripLoopMetadataName);
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
  Miner M(F, LI, SE, DT);
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
