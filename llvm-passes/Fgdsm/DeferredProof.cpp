//===- DeferredProof.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The load is in a loop without stores and calls, other than slow paths.
//
//  1. The loop has one exit, to a block that compares numbers of the last
//     iteration for NaN. If there is none, that block goes on to its second
//     successor, the pass.
//  2. Walked from the load, each user in the loop is a phi or arithmetic whose
//     result is NaN if an operand is. A user behind the loop is a comparison of
//     that block, or a phi that takes the value from the pass.
//  3. A compared number is computed of the load's value, and of what the same
//     number was in the iteration before, both without a phi in between. So no
//     NaN is lost.
//
//===----------------------------------------------------------------------===//

#include "DeferredProof.h"
#include "CodeReader.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace graupel::fgdsm {

namespace {

/// The end of a loop.
struct Way {
  const BasicBlock *Test;
  const BasicBlock *Pass;
  /// Found not to be NaN on the way to Pass, in any lane.
  SmallPtrSet<const Value *, 4> Numbers;
};

} // namespace

// An operation that may assume that there is no NaN may do anything, and where
// the order does not matter, terms may cancel each other.
static bool mayAssume(const Instruction &I) {
  return isa<FPMathOperator>(I) && (I.hasNoNaNs() || I.hasAllowReassoc());
}

static bool passesNaN(const Instruction &I) {
  const Type *T = I.getType()->getScalarType();
  if ((!T->isFloatTy() && !T->isDoubleTy()) ||
      isa<ScalableVectorType>(I.getType()))
    return false;
  if (mayAssume(I))
    return false;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::fma ||
           Call->getIntrinsicID() == Intrinsic::fmuladd;
  const unsigned Opcode = I.getOpcode();
  return Opcode == Instruction::FNeg || Opcode == Instruction::FPExt ||
         Opcode == Instruction::FPTrunc || Opcode == Instruction::FAdd ||
         Opcode == Instruction::FSub || Opcode == Instruction::FMul ||
         Opcode == Instruction::FDiv;
}

// The numbers that a condition finds to be NaN, and that are not if it is
// false.
static bool readNumbers(const Value *Condition,
                        SmallPtrSet<const Value *, 4> &Numbers) {
  const Value *A, *B;
  CmpPredicate Predicate;
  if (match(Condition, m_Or(m_Value(A), m_Value(B))))
    return readNumbers(A, Numbers) && readNumbers(B, Numbers);
  if (match(Condition, m_Intrinsic<Intrinsic::vector_reduce_or>(m_Value(A))))
    return readNumbers(A, Numbers);
  if (!match(Condition, m_FCmp(Predicate, m_Value(A), m_Value(B))) ||
      Predicate != CmpInst::FCMP_UNO ||
      cast<Instruction>(Condition)->hasNoNaNs())
    return false;
  Numbers.insert(A);
  Numbers.insert(B);
  return true;
}

static std::optional<Way> wayOut(const Loop &L) {
  const BasicBlock *Test = L.getUniqueExitBlock();
  const BasicBlock *From = Test ? Test->getUniquePredecessor() : nullptr;
  // From the end of an iteration, so that all of it has been computed.
  if (!From || From != L.getLoopLatch())
    return std::nullopt;
  auto *Branch = dyn_cast<BranchInst>(Test->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return std::nullopt;
  Way W{Test, Branch->getSuccessor(1), {}};
  if (!readNumbers(Branch->getCondition(), W.Numbers))
    return std::nullopt;
  return W;
}

// A loop that goes to the copy has done nothing that the copy does again.
static bool hasNoEffect(const Loop &L) {
  auto IsEntry = [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && readEntry(*Call);
  };
  return all_of(L.blocks(), [&](const BasicBlock *BB) {
    const bool IsSlowPath = any_of(*BB, IsEntry);
    return all_of(*BB, [&](const Instruction &I) {
      if (IsEntry(I) || placeOf(&I) != &I)
        return true;
      // The set that a slow path hands over.
      if (auto *Store = dyn_cast<StoreInst>(&I))
        return IsSlowPath &&
               isa<AllocaInst>(
                   Store->getPointerOperand()->stripInBoundsOffsets());
      // Tags and flags are volatile.
      auto *Load = dyn_cast<LoadInst>(&I);
      return !I.mayHaveSideEffects() ||
             (Load && Load->getPointerAddressSpace() != 0);
    });
  });
}

// Whether each block is executed once an iteration at most: there is no cycle
// but through the header, not even one with two entries.
static bool isFreeOfCycles(const Loop &L) {
  DenseMap<const BasicBlock *, unsigned> Before;
  SmallVector<const BasicBlock *, 8> Ready = {L.getHeader()};
  for (const BasicBlock *BB : L.blocks())
    Before[BB] = count_if(predecessors(BB),
                          [&](const BasicBlock *P) { return L.contains(P); });
  unsigned Done = 0;
  while (!Ready.empty()) {
    const BasicBlock *BB = Ready.pop_back_val();
    ++Done;
    for (const BasicBlock *Next : successors(BB))
      if (L.contains(Next) && Next != L.getHeader() && --Before[Next] == 0)
        Ready.push_back(Next);
  }
  return Done == L.getNumBlocks();
}

// Whether Begin goes into Result within an iteration.
static bool goesInto(const Value &Begin, const Value &Result, const Loop &L) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {&Begin};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !L.contains(I) || !passesNaN(*I) || !Seen.insert(I).second)
        continue;
      if (I == &Result)
        return true;
      Work.push_back(I);
    }
  return false;
}

// Whether NaN in Load is NaN in a number of the loop's end.
static bool isWitnessed(const Instruction &Load, const Loop &L, const Way &W) {
  const BasicBlock *Latch = L.getLoopLatch();
  for (const PHINode &Phi : L.getHeader()->phis()) {
    const Value *Next = Phi.getIncomingValueForBlock(Latch);
    if (!mayAssume(Phi) && W.Numbers.contains(Next) &&
        goesInto(Load, *Next, L) && goesInto(Phi, *Next, L))
      return true;
  }
  return false;
}

static bool isUseAllowed(const Use &U, const Loop &L, const Way &W) {
  auto *I = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(I);
  if (L.contains(I))
    return Phi ? !mayAssume(*Phi) : passesNaN(*I);
  if (Phi && Phi->getParent() == W.Pass)
    return Phi->getIncomingBlock(U) == W.Test;
  return I->getParent() == W.Test && isa<FCmpInst>(I);
}

// A compared number's comparison is for the test's branch alone.
static bool isTestAlone(const Way &W) {
  for (const Instruction &I : *W.Test)
    if (!I.isTerminator() && any_of(I.users(), [&](const User *U) {
          return cast<Instruction>(U)->getParent() != W.Test;
        }))
      return false;
  return true;
}

static bool staysInside(const Instruction &Load, const Loop &L, const Way &W) {
  SmallPtrSet<const Instruction *, 16> Seen = {&Load};
  SmallVector<const Instruction *, 16> Work = {&Load};
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (!isUseAllowed(U, L, W))
        return false;
      if (L.contains(I) && Seen.insert(I).second)
        Work.push_back(I);
    }
  return true;
}

bool isProvenBehindLoop(const Instruction &I, Align Alignment,
                        const LoopInfo &LI, const DominatorTree &DT) {
  auto *Load = dyn_cast<LoadInst>(&I);
  const Loop *L = LI.getLoopFor(I.getParent());
  if (!Load || !Load->isSimple() || !L || !L->isInnermost() ||
      I.getFunction()->getFnAttribute("no-nans-fp-math").getValueAsBool())
    return false;
  const Type *T = Load->getType();
  // Each number within a granule, all words of which are the pattern or none.
  if (!(T->getScalarType()->isFloatTy() || T->getScalarType()->isDoubleTy()) ||
      isa<ScalableVectorType>(T) ||
      Alignment.value() * 8 < T->getScalarSizeInBits())
    return false;
  std::optional<Way> W = wayOut(*L);
  return W && DT.dominates(Load->getParent(), L->getLoopLatch()) &&
         isFreeOfCycles(*L) && hasNoEffect(*L) && isTestAlone(*W) &&
         isWitnessed(*Load, *L, *W) && staysInside(*Load, *L, *W);
}

} // namespace graupel::fgdsm
