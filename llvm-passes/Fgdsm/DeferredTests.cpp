//===- DeferredTests.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. Loops of one block and one exit that load and compute, and do nothing
//     that cannot be done again.
//  2. Their sums: what an iteration computes of the last one's by arithmetic
//     that keeps NaN.
//  3. Loads whose value goes into a sum in each iteration, and nowhere but into
//     such arithmetic: no address, branch or comparison ever depends on it.
//  4. If one of them had a check of its own: the sums are tested behind the
//     loop. Where one is NaN, a copy of the loop runs, whose loads are checked.
//  5. Ranges of strips that were for such loads only become the copy's.
//
//===----------------------------------------------------------------------===//

#include "DeferredTests.h"
#include "Access.h"
#include "Sequences.h"
#include "StripMining.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "fgdsm"

using namespace llvm;

STATISTIC(NumDeferred, "Loads that sums behind their loop tell of");

namespace graupel::fgdsm {

namespace {

/// A strip's ranges of a function, by number, and who relies on each.
struct Ranges {
  DenseMap<uint64_t, CallInst *> Markers;
  DenseMap<uint64_t, SmallPtrSet<Instruction *, 4>> Covers;
  uint64_t NextID = 1;
};

/// The decision about a loop.
struct Deferral {
  Loop *L;
  SmallVector<LoadInst *, 8> Loads;
  /// The values that the last iteration leaves.
  SmallSetVector<Instruction *, 4> Sums;
};

} // namespace

static Ranges findRanges(Function &F) {
  Ranges Found;
  for (Instruction &I : instructions(F)) {
    for (uint64_t ID : coveringRanges(I))
      Found.Covers[ID].insert(&I);
    if (std::optional<uint64_t> ID = markedRange(I)) {
      Found.Markers[*ID] = cast<CallInst>(&I);
      Found.NextID = std::max(Found.NextID, *ID + 1);
    }
  }
  return Found;
}

//===-- Decisions ---------------------------------------------------------===//

static bool isNumber(const Type *T) {
  const Type *Scalar = T->getScalarType();
  return (Scalar->isFloatTy() || Scalar->isDoubleTy()) &&
         (!T->isVectorTy() || isa<FixedVectorType>(T));
}

// Whether a NaN operand, or a lane of one, makes the result NaN, or its lane.
static bool keepsNaN(const Instruction &I) {
  if (!isNumber(I.getType()))
    return false;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::fmuladd ||
                  Call->getIntrinsicID() == Intrinsic::fma);
}

static bool mayBeRepeated(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory();
}

static bool isOfForm(const Loop &L, const LoopInfo &LI) {
  const BasicBlock *Exit = L.getExitBlock();
  return L.isInnermost() && L.getNumBlocks() == 1 && L.getLoopPreheader() &&
         Exit && L.hasDedicatedExits() &&
         LI.getLoopFor(Exit) == L.getParentLoop() &&
         isa<BranchInst>(L.getHeader()->getTerminator()) &&
         all_of(*L.getHeader(), mayBeRepeated);
}

// The instructions that V reaches within its iteration through arithmetic that
// keeps NaN.
static SmallPtrSet<Instruction *, 16> termsOf(Instruction &V) {
  SmallPtrSet<Instruction *, 16> Reached;
  SmallVector<Instruction *, 16> Work = {&V};
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users())
      if (auto *I = dyn_cast<Instruction>(U);
          I && I->getParent() == V.getParent() && keepsNaN(*I) &&
          Reached.insert(I).second)
        Work.push_back(I);
  return Reached;
}

// Whether nothing in the loop but such arithmetic ever sees what V becomes.
static bool isForArithmeticOnly(const Loop &L, Instruction &V) {
  SmallPtrSet<Instruction *, 16> Seen = {&V};
  SmallVector<Instruction *, 16> Work = {&V};
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (!L.contains(I))
        continue;
      if (!isa<PHINode>(I) && !keepsNaN(*I))
        return false;
      if (Seen.insert(I).second)
        Work.push_back(I);
    }
  return true;
}

static bool mayBeDeferred(const Access &A) {
  auto *Load = dyn_cast<LoadInst>(A.Inst);
  if (!Load || A.isPrivate() || A.Shape != AccessShape::Plain ||
      !isNumber(Load->getType()))
    return false;
  // Each number lies within a granule.
  return A.Alignment.value() * 8 >= Load->getType()->getScalarSizeInBits();
}

static Deferral decide(Loop &L, ArrayRef<LoadInst *> Candidates) {
  Deferral D{&L, {}, {}};
  BasicBlock *Body = L.getHeader();
  SmallVector<Instruction *, 4> Sums;
  for (PHINode &Phi : Body->phis()) {
    auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Body));
    if (Next && termsOf(Phi).contains(Next))
      Sums.push_back(Next);
  }
  if (Sums.empty())
    return D;
  bool Gains = false;
  for (LoadInst *Load : Candidates) {
    SmallPtrSet<Instruction *, 16> Terms = termsOf(*Load);
    auto *Sum =
        find_if(Sums, [&](Instruction *S) { return Terms.contains(S); });
    if (Sum == Sums.end() || !isForArithmeticOnly(L, *Load))
      continue;
    D.Loads.push_back(Load);
    D.Sums.insert(*Sum);
    Gains |= !Load->hasMetadata(CoveredMetadataName);
  }
  if (!Gains)
    D.Loads.clear();
  return D;
}

//===-- Transformation ----------------------------------------------------===//

// True if one of the sums is NaN, or has a lane that is. One comparison looks
// at two of a type.
static Value *testSums(IRBuilder<> &B, ArrayRef<Instruction *> Sums) {
  Value *Any = nullptr;
  SmallVector<Instruction *, 4> Left(Sums);
  while (!Left.empty()) {
    Instruction *One = Left.pop_back_val(), *Other = One;
    auto *Same = find_if(Left, [&](const Instruction *I) {
      return I->getType() == One->getType();
    });
    if (Same != Left.end()) {
      Other = *Same;
      Left.erase(Same);
    }
    Value *Test = B.CreateFCmpUNO(One, Other);
    if (Test->getType()->isVectorTy())
      Test = B.CreateOrReduce(Test);
    Any = Any ? B.CreateOr(Any, Test) : Test;
  }
  return Any;
}

// The copy's ranges, for what is in it.
static void moveRanges(const Deferral &D, ValueToValueMapTy &Copies,
                       Instruction *Before, Ranges &Known) {
  SmallPtrSet<Instruction *, 8> Deferred(D.Loads.begin(), D.Loads.end());
  DenseMap<uint64_t, uint64_t> Moved;
  for (LoadInst *Load : D.Loads)
    for (uint64_t ID : coveringRanges(*Load)) {
      CallInst *Marker = Known.Markers.lookup(ID);
      if (!Marker || !all_of(Known.Covers[ID], [&](Instruction *I) {
            return Deferred.contains(I);
          }))
        continue;
      auto *Copy = cast<CallInst>(Marker->clone());
      Copy->setArgOperand(
          3, ConstantInt::get(Copy->getArgOperand(3)->getType(), Known.NextID));
      Copy->insertBefore(Before->getIterator());
      Moved[ID] = Known.NextID++;
      Known.Markers.erase(ID);
      Marker->eraseFromParent();
    }
  for (LoadInst *Load : D.Loads) {
    SmallVector<uint64_t, 2> IDs = coveringRanges(*Load);
    if (IDs.empty())
      continue;
    for (uint64_t &ID : IDs)
      if (uint64_t New = Moved.lookup(ID))
        ID = New;
    setCoveringRanges(*cast<Instruction>(Copies[Load]), IDs);
    Load->setMetadata(CoveredMetadataName, nullptr);
  }
}

// NaN must be no reason to think that a value is arbitrary, no term may cancel
// another ((x + y) - x), and the copy, which is cut into other blocks, has to
// round as the loop does: nodes may compute the same and compare it.
static void fixArithmetic(Loop &L) {
  for (Instruction &I : *L.getHeader())
    if (isa<FPMathOperator>(I))
      I.copyFastMathFlags(FastMathFlags());
}

// Inserts an empty block on the exit edge.
static BasicBlock *insertBehind(Loop &L, LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Body = L.getHeader(), *Exit = L.getExitBlock();
  auto *New =
      BasicBlock::Create(Body->getContext(), "", Body->getParent(), Exit);
  BranchInst::Create(Exit, New);
  Body->getTerminator()->replaceSuccessorWith(Exit, New);
  Exit->replacePhiUsesWith(Body, New);
  if (Loop *Around = L.getParentLoop())
    Around->addBasicBlockToLoop(New, LI);
  DT.addNewBlock(New, Body);
  DT.changeImmediateDominator(Exit, New);
  return New;
}

static void defer(const Deferral &D, LoopInfo &LI, DominatorTree &DT,
                  Ranges &Known) {
  Loop &L = *D.L;
  BasicBlock *Body = L.getHeader(), *Exit = L.getExitBlock();
  formLCSSA(L, DT, &LI, nullptr);
  fixArithmetic(L);
  // 1. Blocks for the test, and before the loop: cloning copies the preheader.
  BasicBlock *Before = L.getLoopPreheader();
  SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  BasicBlock *Test = insertBehind(L, LI, DT);
  // 2. The copy, which leaves to where the loop does.
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 2> Blocks;
  cloneLoopWithPreheader(Exit, Test, &L, Copies, ".checked", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  auto *Copy = cast<BasicBlock>(Copies[Body]);
  Copy->getTerminator()->replaceSuccessorWith(Test, Exit);
  for (PHINode &Phi : Exit->phis()) {
    Value *Fast = Phi.getIncomingValueForBlock(Test);
    Value *Checked = Copies.lookup(Fast);
    Phi.addIncoming(Checked ? Checked : Fast, Copy);
  }
  // 3. The test.
  auto *Start = cast<BasicBlock>(Copies[L.getLoopPreheader()]);
  IRBuilder<> B(Test->getTerminator());
  B.SetCurrentDebugLocation(Body->getTerminator()->getDebugLoc());
  Value *Any = testSums(B, D.Sums.getArrayRef());
  B.CreateCondBr(Any, Start, Exit,
                 MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  Test->getTerminator()->eraseFromParent();
  // 4. The ranges that cover the loads in each copy.
  moveRanges(D, Copies, Start->getTerminator(), Known);
  for (LoadInst *Load : D.Loads)
    Load->setMetadata(DeferredMetadataName, MDNode::get(B.getContext(), {}));
  NumDeferred += D.Loads.size();
}

void deferTests(Function &F, const PointerPrivacy &Privacy, LoopInfo &LI,
                DominatorTree &DT) {
  if (!mayCompareNumbers(F) || F.hasOptSize())
    return;
  DenseMap<const Loop *, SmallVector<LoadInst *, 8>> Candidates;
  SmallVector<Loop *, 8> Loops;
  for (const Access &A : collectAccesses(F, Privacy)) {
    Loop *L = LI.getLoopFor(A.Inst->getParent());
    if (!L || !mayBeDeferred(A) || !isOfForm(*L, LI))
      continue;
    if (Candidates[L].empty())
      Loops.push_back(L);
    Candidates[L].push_back(cast<LoadInst>(A.Inst));
  }
  if (Loops.empty())
    return;
  Ranges Known = findRanges(F);
  for (Loop *L : Loops)
    if (Deferral D = decide(*L, Candidates[L]); !D.Loads.empty())
      defer(D, LI, DT, Known);
}

} // namespace graupel::fgdsm
