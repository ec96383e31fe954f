//===- StripNest.cpp - Strips of whole nests of loops ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where inner loops are short, as with the rows of a small matrix, a strip of
// the inner loop costs more than what it saves. If the rows follow one another
// without gaps, a strip may be several of them, and a row that is used in each
// iteration of the outer loop is checked once a strip.
//
//   1. Fold the inner loops: an access touches in one iteration of the outer
//   loop
//      what lies between its address in the first and in the last inner
//      iterations.
//   2. If all sizes are constant, go on as for innermost loops (StripPlan.cpp).
//   3. If not, let the program look: the plan names conditions under which all
//      that is said about streams is true and each fits into a range.
//
// Vectorisation turns a loop into several loops, of which each starts where the
// one before stopped, or from the beginning if that was left out. Together they
// touch what the original did: their lower end is where the first begins.
//
//===----------------------------------------------------------------------===//

#include "StripMining.h"
#include "StripPlanner.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace graupel::fgdsm;

/// Larger nests are not looked at: their inner loops do not need it.
static constexpr unsigned MaxNest = 2000;
static constexpr unsigned MaxConditions = 12;

/// May the inner loops of L be seen as one access each?
bool StripPlanner::foldable(Loop &L) const {
  return all_of(L.getLoopsInPreorder(), [&](Loop *C) {
    return !findStringMetadataForLoop(C, StripLoopMetadataName) &&
           C->getLoopPreheader() && C->hasDedicatedExits() &&
           C->getExitingBlock() == C->getLoopLatch() &&
           !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(C));
  });
}

/// Whether C begins where Before stopped if that ran, as the loops do that one
/// was vectorised to.
bool StripPlanner::goesOn(Loop &C, const Loop &Before) const {
  const BasicBlock *Stopped = Before.getExitBlock();
  return Stopped && any_of(C.getHeader()->phis(), [&](PHINode &Phi) {
           auto *Start = dyn_cast<PHINode>(
               Phi.getIncomingValueForBlock(C.getLoopPreheader()));
           return Start && SE.isSCEVable(Phi.getType()) &&
                  isa<SCEVAddRecExpr>(SE.getSCEV(&Phi)) &&
                  any_of(Start->blocks(), [&](const BasicBlock *From) {
                    return DT.dominates(Stopped, From);
                  });
         });
}

/// Whether each iteration of Outer enters one of the loops in it.
static bool entersOneOf(ArrayRef<Loop *> Loops, const Loop &Outer) {
  SmallPtrSet<const BasicBlock *, 16> Seen = {Outer.getHeader()};
  for (const Loop *C : Loops)
    Seen.insert(C->getLoopPreheader());
  // Other blocks can be reached without entering one.
  SmallVector<const BasicBlock *, 16> Work = {Outer.getHeader()};
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == Outer.getLoopLatch())
      return false;
    for (const BasicBlock *Next : successors(BB))
      if (Outer.contains(Next) && Seen.insert(Next).second)
        Work.push_back(Next);
  }
  return true;
}

/// The headers of loops in L that each iteration of the loop around them
/// enters; those that one loop was vectorised to count as one.
DenseSet<const BasicBlock *> StripPlanner::alwaysEntered(Loop &L) const {
  DenseSet<const BasicBlock *> Always;
  for (Loop *Outer : L.getLoopsInPreorder()) {
    EquivalenceClasses<Loop *> Vectorised;
    for (Loop *C : *Outer)
      if (DT.dominates(C->getLoopPreheader(), Outer->getLoopLatch()))
        Always.insert(C->getHeader());
      else if (findStringMetadataForLoop(C, "llvm.loop.isvectorized"))
        Vectorised.insert(C);
    SmallVector<Loop *, 4> All;
    for (const auto *Member : Vectorised)
      All.push_back(Member->getData());
    for (Loop *C : All)
      for (Loop *Before : All)
        if (C != Before && goesOn(*C, *Before))
          Vectorised.unionSets(C, Before);
    for (const auto *Leader : Vectorised) {
      if (!Leader->isLeader())
        continue;
      SmallVector<Loop *, 4> Group(Vectorised.members(*Leader));
      if (entersOneOf(Group, *Outer))
        for (Loop *C : Group)
          Always.insert(C->getHeader());
    }
  }
  return Always;
}

//===----------------------------------------------------------------------===//
// 1. Folding
//===----------------------------------------------------------------------===//

bool StripPlanner::knownAtMost(const SCEV *Small, const SCEV *Large) {
  // Scalar evolution does not look into maxima.
  if (auto *Max = dyn_cast<SCEVUMaxExpr>(Large)) {
    if (is_contained(Max->operands(), Small))
      return true;
    if (auto *Parts = dyn_cast<SCEVUMaxExpr>(Small))
      return all_of(Parts->operands(), [&](const SCEV *Part) {
        return is_contained(Max->operands(), Part);
      });
  }
  return SE.isKnownPredicate(ICmpInst::ICMP_ULE, Small, Large);
}

/// Adds Small <= Large to the plan's conditions, unless it is known; false if
/// it is known to be wrong, or cannot be computed.
bool StripPlanner::require(const SCEV *Small, const SCEV *Large,
                           LoopPlan &Plan) {
  if (knownAtMost(Small, Large) ||
      is_contained(Plan.Conditions, Condition(Small, Large)))
    return true;
  if (SE.isKnownPredicate(ICmpInst::ICMP_UGT, Small, Large) ||
      !canCompute(Small, *Plan.L) || !canCompute(Large, *Plan.L) ||
      !SE.isLoopInvariant(Small, Plan.L) || !SE.isLoopInvariant(Large, Plan.L))
    return false;
  Plan.Conditions.push_back({Small, Large});
  return true;
}

/// Between Low and High are what one of several loops touches that go on where
/// another stopped: where they start depends on which of them ran. Replaces
/// that by the least start, and adds to Bounds the distances of both ends from
/// there, for all starts; false if they are not known before L.
bool StripPlanner::spanStarts(Loop &L, const SCEV *&Low, const SCEV *High,
                              SmallVectorImpl<const SCEV *> &Bounds) {
  const PHINode *Resume = nullptr;
  auto IsOther = [&](const SCEV *Part) {
    auto *U = dyn_cast<SCEVUnknown>(Part);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    if (!I || !L.contains(I))
      return false;
    auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi || (Resume && Resume != Phi))
      return true;
    Resume = Phi;
    return false;
  };
  if (SCEVExprContains(Low, IsOther) || SCEVExprContains(High, IsOther))
    return false;
  if (!Resume) {
    Bounds.push_back(SE.getMinusSCEV(High, Low));
    return true;
  }
  const SCEV *Least = nullptr;
  for (Value *V : Resume->incoming_values()) {
    const SCEV *Start = SE.getSCEV(V);
    if (!Start->getType()->isIntegerTy() || !SE.isLoopInvariant(Start, &L))
      return false;
    Least = Least ? SE.getUMinExpr(Least, Start) : Start;
  }
  auto With = [&](const SCEV *S, const SCEV *Start) {
    ValueToSCEVMapTy Map;
    Map[Resume] = Start;
    return SCEVParameterRewriter::rewrite(S, SE, Map);
  };
  const SCEV *LowEnd = With(Low, Least);
  for (Value *V : Resume->incoming_values())
    for (const SCEV *End : {Low, High})
      Bounds.push_back(SE.getMinusSCEV(With(End, SE.getSCEV(V)), LowEnd));
  Low = LowEnd;
  return true;
}

/// The accesses of C that are in none of its inner loops, merged, with their
/// addresses for First. Entered: in each iteration of the nest.
void StripPlanner::collectBlocks(Loop &C, bool Entered,
                                 SmallVectorImpl<Footprint> &Out) {
  SmallVector<Footprint, 16> Prints;
  for (BasicBlock *BB : C.blocks()) {
    if (LI.getLoopFor(BB) != &C)
      continue;
    bool Always = Entered && DT.dominates(BB, C.getLoopLatch());
    for (Instruction &I : *BB)
      if (I.mayReadOrWriteMemory() && Ask.NeedsCheck(I))
        if (std::optional<StripAccess> A = simpleAccess(I))
          Prints.push_back({SE.getSCEV(A->Pointer),
                            0,
                            A->Bytes,
                            A->Store,
                            Always && !A->Masked,
                            {&I}});
  }
  forEachGroup(Prints, [&](ArrayRef<std::pair<int64_t, Footprint *>> Group) {
    mergeDense(Group, true, Out);
    mergeDense(Group, false, Out);
    for (auto &[Offset, Print] : Group)
      if (!Print->Always)
        Out.push_back(*Print);
  });
}

/// Adds the slice that Print touches in an iteration of L: none if that is no
/// affine function of the inner loop's iterations, so that it needs checks of
/// its own anyhow. False if it is one but the nest cannot cover it.
bool StripPlanner::slice(Loop &L, Loop &Innermost, const Footprint &Print,
                         LoopPlan &Plan, SmallVectorImpl<Slice> &Out) {
  const SCEV *Low = Print.First;
  const SCEV *High = SE.getAddExpr(Low, constant(Print.Extent));
  for (Loop *C = &Innermost; C != &L; C = C->getParentLoop()) {
    if (SE.isLoopInvariant(Low, C) && SE.isLoopInvariant(High, C))
      continue;
    auto *LowRec = dyn_cast<SCEVAddRecExpr>(Low);
    auto *HighRec = dyn_cast<SCEVAddRecExpr>(High);
    if (!LowRec || !HighRec || LowRec->getLoop() != C || !LowRec->isAffine() ||
        HighRec->getLoop() != C || !HighRec->isAffine())
      return C == &Innermost;
    const SCEV *Step = LowRec->getStepRecurrence(SE);
    auto *By = dyn_cast<SCEVConstant>(Step);
    if (!By || Step != HighRec->getStepRecurrence(SE))
      return C == &Innermost && !By;
    const SCEV *Extent = SE.getMinusSCEV(High, Low);
    const SCEV *Distance = SE.getConstant(By->getAPInt().abs());
    if (isa<SCEVCouldNotCompute>(Extent) ||
        !require(Distance, SE.getAddExpr(Extent, constant(MaxGap)), Plan))
      return false;
    const SCEV *Last = SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(C),
                                                  Step->getType());
    const SCEV *Advance = SE.getMulExpr(Last, Step);
    bool Down = By->getAPInt().isNegative();
    Low =
        Down ? SE.getAddExpr(LowRec->getStart(), Advance) : LowRec->getStart();
    High = Down ? HighRec->getStart()
                : SE.getAddExpr(HighRec->getStart(), Advance);
  }

  SmallVector<const SCEV *, 6> Bounds;
  if (!spanStarts(L, Low, High, Bounds))
    return &Innermost == &L;
  const SCEV *Extent = Bounds.front();
  for (const SCEV *Bound : Bounds) {
    if (isa<SCEVCouldNotCompute>(Bound))
      return &Innermost == &L;
    if (std::optional<int64_t> More = distance(Extent, Bound))
      Extent = *More > 0 ? Bound : Extent;
    else
      Extent = SE.getUMaxExpr(Extent, Bound);
  }
  const SCEV *First = Low, *Step = constant(0);
  if (auto *Rec = dyn_cast<SCEVAddRecExpr>(Low); Rec && Rec->getLoop() == &L) {
    if (!Rec->isAffine())
      return &Innermost == &L;
    First = Rec->getStart();
    Step = Rec->getStepRecurrence(SE);
  }
  for (const SCEV *S : {First, Step, Extent})
    if (!SE.isLoopInvariant(S, &L) || !canCompute(S, L))
      return &Innermost == &L;
  for (const SCEV *Bound : Bounds)
    if (!require(Bound, Extent, Plan))
      return false;
  Out.push_back(
      {First, Step, Extent, Print.Store, Print.Always, Print.Accesses});
  return true;
}

//===----------------------------------------------------------------------===//
// 3. Sizes known at run time
//===----------------------------------------------------------------------===//

bool StripPlanner::clusterMeasured(Loop &L, ArrayRef<Slice> Slices,
                                   LoopPlan &Plan) {
  // Merge slices of the same kind that begin together, or nearly.
  for (bool Store : {true, false})
    for (const Slice &S : Slices) {
      if (S.Store != Store || !S.Always)
        continue;
      bool Merged = false;
      for (Stream &T : Plan.Streams) {
        auto D = T.Step == S.Step ? distance(T.First, S.First) : std::nullopt;
        if (!D || magnitude(*D) > MaxGap)
          continue;
        const SCEV *Extent = S.Extent;
        if (T.Store == Store) {
          if (*D < 0) {
            T.First = S.First;
            T.Extent = SE.getAddExpr(T.Extent, constant(-*D));
          } else {
            Extent = SE.getAddExpr(Extent, constant(*D));
          }
          if (auto More = distance(T.Extent, Extent)) {
            if (*More > 0)
              T.Extent = Extent;
          } else {
            T.Extent = SE.getUMaxExpr(T.Extent, Extent);
          }
        } else if (*D < 0 || !knownAtMost(SE.getAddExpr(Extent, constant(*D)),
                                          T.Extent)) {
          continue;
        }
        T.Covers.append(S.Accesses);
        Merged = true;
        break;
      }
      if (!Merged)
        Plan.Streams.push_back(
            {S.First, S.Step, S.Extent, S.Store, S.Accesses});
    }
  // Slices that are not always executed are covered if they lie within.
  for (const Slice &S : Slices)
    if (!S.Always)
      for (Stream &T : Plan.Streams)
        if (T.Step == S.Step && T.First == S.First && T.Extent == S.Extent &&
            (T.Store || !S.Store)) {
          T.Covers.append(S.Accesses);
          break;
        }
  for (const Stream &S : Plan.Streams)
    if (!require(S.Extent, constant(MaxRange), Plan) ||
        (!S.Step->isZero() && !knownAtMost(S.Step, S.Extent) &&
         !require(S.Step, SE.getAddExpr(S.Extent, constant(MaxGap)), Plan)) ||
        !canCompute(S.Extent, L))
      return false;
  return !Plan.Streams.empty() && Plan.Streams.size() <= MaxStreams &&
         Plan.Conditions.size() <= MaxConditions;
}

//===----------------------------------------------------------------------===//
// The plan of a nest
//===----------------------------------------------------------------------===//

static std::optional<int64_t> small(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(S);
  if (!C || C->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

static bool covers(const LoopPlan &Plan, ArrayRef<Instruction *> Accesses) {
  return all_of(Accesses, [&](Instruction *I) {
    return any_of(Plan.Streams,
                  [&](const Stream &S) { return is_contained(S.Covers, I); });
  });
}

std::optional<LoopPlan> StripPlanner::planNest(Loop &L) {
  LoopPlan Plan;
  Plan.L = &L;
  if (!refuse(L, Plan).empty() || !foldable(L))
    return std::nullopt;

  DenseSet<const BasicBlock *> Entered = alwaysEntered(L);
  SmallVector<Slice, 16> Slices;
  SmallVector<Instruction *, 16> OfOthers;
  unsigned Instructions = 0;
  for (BasicBlock *BB : L.blocks())
    Instructions += BB->size();
  if (Instructions > MaxNest)
    return std::nullopt;
  for (Loop *C : L.getLoopsInPreorder()) {
    bool Always = true;
    for (Loop *At = C; At != &L; At = At->getParentLoop())
      Always &= Entered.contains(At->getHeader());
    SmallVector<Footprint, 16> Prints;
    collectBlocks(*C, Always, Prints);
    const size_t Before = Slices.size();
    for (const Footprint &Print : Prints)
      if (!slice(L, *C, Print, Plan, Slices))
        return std::nullopt;
    // Strips of its own would cover these.
    if (!Always)
      for (const Slice &S : drop_begin(Slices, Before))
        OfOthers.append(S.Accesses);
  }

  bool Constant = Plan.Conditions.empty() && all_of(Slices, [](const Slice &S) {
                    return small(S.Step) && small(S.Extent);
                  });
  if (Constant) {
    SmallVector<Footprint, 16> Prints;
    size_t Wanted = 0, Covered = 0;
    for (const Slice &S : Slices) {
      Prints.push_back({S.First, *small(S.Step),
                        static_cast<uint64_t>(*small(S.Extent)), S.Store,
                        S.Always, S.Accesses});
      Wanted += S.Always ? S.Accesses.size() : 0;
    }
    std::string Gap;
    cluster(Prints, Plan, Gap);
    chooseLength(Plan, Gap);
    for (const Stream &S : Plan.Streams)
      Covered += S.Covers.size();
    if (!Plan.Refusal.empty() || Covered < Wanted || Plan.Streams.empty() ||
        !covers(Plan, OfOthers))
      return std::nullopt;
    return Plan;
  }

  if (Instructions > MaxCopied || !mayCopy(L) ||
      !all_of(L, [](Loop *C) { return C->isInnermost(); }) ||
      !clusterMeasured(L, Slices, Plan) || !covers(Plan, OfOthers))
    return std::nullopt;
  Plan.Measured = true;
  Plan.StripLength = MaxRows;
  return Plan;
}
