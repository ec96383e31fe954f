//===- StripAreas.cpp - Memory that a loop accesses here and there --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counters that are found by a few bits of a key, and tables of constants, are
// accessed in no order, but the bits tell how large they are at most. A range of
// all of one would ask for more than the loop touches, and even for what nobody
// has allocated. So the program asks for nothing: before each strip it looks
// whether the whole area happens to be valid. If it is, a copy of the loop runs
// that has no checks of it.
//
// In that copy the area is a range like those of streams. As nothing is taken
// between the look and the range's test, this one passes. Slow paths of other
// checks make the range valid again, so they ask for no more than the thread had
// when the strip began.
//
//  1. boundedAccess: the address is the sum of a part that does not change in the
//     loop and one with a known largest value: by its range, or as a mask does
//     not change in the loop. The loop may never get to the access, so the part
//     may be any number, and so may the mask (StripMiner::placeOf).
//  2. addArea: accesses at constant distances with the same largest value share
//     an area, such as fields of structures in an array. It is worth a copy of
//     the loop if that saves the checks of a store, or of two loads.
//
//===----------------------------------------------------------------------===//

#include "StripPlanner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace graupel::fgdsm {

/// Each is one more range for slow paths to tell of.
static constexpr unsigned MaxAreas = 2;
/// Shorter strips are not worth the look.
static constexpr uint64_t MinStripWithAreas = 32;

/// An access of memory that begins at most Scale * Most bytes behind First.
struct StripPlanner::Bounded {
  Instruction *Access;
  uint64_t Bytes;
  bool Store;
  const SCEV *First;
  /// A constant, or a mask, of the width that it has in the program.
  const SCEV *Most = nullptr;
  uint64_t Scale = 1;
};

/// The mask if S is a value of at least 32 bits and an invariant mask of it.
static const SCEV *maskOf(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  auto *Unknown = dyn_cast<SCEVUnknown>(S);
  Value *A, *B;
  if (!Unknown || !match(Unknown->getValue(), m_And(m_Value(A), m_Value(B))) ||
      SE.getTypeSizeInBits(S->getType()) < 32)
    return nullptr;
  for (Value *Mask : {A, B})
    if (SE.isLoopInvariant(SE.getSCEV(Mask), &L))
      return SE.getSCEV(Mask);
  return nullptr;
}

/// S is at most Scale times the result. A mask is at most MaxArea wherever it
/// counts, so that extensions of either kind are the same.
static const SCEV *largestOf(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                             uint64_t &Scale) {
  const APInt Largest = SE.getUnsignedRangeMax(S);
  if (Largest.ult(MaxArea))
    return SE.getConstant(Largest);
  if (auto *Product = dyn_cast<SCEVMulExpr>(S)) {
    auto *By = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (Product->getNumOperands() != 2 || !By ||
        !By->getAPInt().isStrictlyPositive() || By->getAPInt().uge(MaxArea))
      return nullptr;
    Scale = By->getAPInt().getZExtValue();
    S = Product->getOperand(1);
  }
  while (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S))
    S = cast<SCEVCastExpr>(S)->getOperand();
  return maskOf(S, L, SE);
}

std::optional<StripPlanner::Bounded>
StripPlanner::boundedAccess(Instruction &I, const Loop &L) {
  std::optional<StripAccess> A = simpleAccess(I);
  auto *Sum = A ? dyn_cast<SCEVAddExpr>(SE.getSCEV(A->Pointer)) : nullptr;
  if (!Sum || A->Bytes > MaxRange)
    return std::nullopt;
  SmallVector<const SCEV *, 4> Fixed, Changing;
  for (const SCEV *Part : Sum->operands())
    (SE.isLoopInvariant(Part, &L) ? Fixed : Changing).push_back(Part);
  if (Fixed.empty() || Changing.empty())
    return std::nullopt;
  Bounded B = {&I, A->Bytes, A->Store, SE.getAddExpr(Fixed)};
  B.Most = largestOf(SE.getAddExpr(Changing), L, SE, B.Scale);
  if (!B.Most || !B.First->getType()->isPointerTy() ||
      !canCompute(B.First, L) || !canCompute(B.Most, L))
    return std::nullopt;
  return B;
}

/// Makes an area of the first access and those near it; these lose their
/// instructions.
void StripPlanner::addArea(MutableArrayRef<Bounded> Found, LoopPlan &Plan) {
  const Bounded &Leader = Found.front();
  int64_t Low = 0, High = 0;
  Area Result;
  for (Bounded &B : Found) {
    std::optional<int64_t> Behind;
    if (!B.Access || B.Most != Leader.Most || B.Scale != Leader.Scale ||
        !(Behind = distance(Leader.First, B.First)) ||
        magnitude(*Behind) > MaxRange)
      continue;
    Low = std::min(Low, *Behind);
    High = std::max(High, *Behind + int64_t(B.Bytes));
    Result.Store |= B.Store;
    Result.Covers.push_back(B.Access);
    B.Access = nullptr;
  }
  const uint64_t Span = High - Low;
  if (Span > MaxRange || (!Result.Store && Result.Covers.size() < 2))
    return;
  Result.MostBytes = MaxArea;
  if (auto *Constant = dyn_cast<SCEVConstant>(Leader.Most)) {
    Result.MostBytes =
        Constant->getAPInt().getZExtValue() * Leader.Scale + Span;
  } else {
    Result.Small = Leader.Most;
    Result.Large =
        SE.getConstant(Leader.Most->getType(), (MaxArea - Span) / Leader.Scale);
  }
  if (Result.MostBytes > MaxArea || Plan.Areas.size() == MaxAreas)
    return;
  Type *I64 = Type::getInt64Ty(SE.getContext());
  Result.First = SE.getAddExpr(Leader.First, constant(Low));
  Result.Extent =
      SE.getAddExpr(SE.getMulExpr(SE.getNoopOrZeroExtend(Leader.Most, I64),
                                  constant(Leader.Scale)),
                    constant(Span));
  Plan.Areas.push_back(std::move(Result));
}

void StripPlanner::findAreas(LoopPlan &Plan) {
  if (!Plan.Refusal.empty() || !Plan.OwnChecks ||
      Plan.StripLength < MinStripWithAreas || !mayCopy(*Plan.L))
    return;
  DenseSet<const Instruction *> Covered;
  for (const Stream &S : Plan.Streams)
    Covered.insert_range(S.Covers);
  SmallVector<Bounded, 8> Found;
  unsigned Instructions = 0;
  for (BasicBlock *BB : Plan.L->blocks()) {
    Instructions += BB->size();
    for (Instruction &I : *BB)
      if (I.mayReadOrWriteMemory() && Ask.NeedsCheck(I) &&
          !Covered.contains(&I))
        if (std::optional<Bounded> B = boundedAccess(I, *Plan.L))
          Found.push_back(*B);
  }
  if (Instructions > MaxCopied)
    return;
  for (size_t Index = 0; Index != Found.size(); ++Index)
    if (Found[Index].Access)
      addArea(MutableArrayRef(Found).drop_front(Index), Plan);
}

} // namespace graupel::fgdsm
