//===- LiveSets.cpp - Steps 3 and 4 of planning checks --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps 3 and 4 of CheckPlan.cpp: the ranges that slow paths re-validate, and
// the checks that look at the loaded value.
//
// 1. findRelied: iterate backwards to a fixed point. A need or strip range is
//    relied on where some path uses it before a check of it, an end of validity
//    or a new definition of its base.
// 2. buildSets: walk each block backwards and build the set of each site. A
//    hoisted check is useless if no access relies on it.
// 3. A check of one aligned load looks at the value if no access behind the
//    load relies on it (mayLookAtValue).
// 4. buildSet: collect the needs that are relied on by base, those of the
//    site's own instruction first. Merge them into few ranges from a pointer at
//    hand (rangesOfBase); then add the strip ranges.
// 5. At this site, give up the bases and ranges that have no value at hand, or
//    for which the set has no room (LargestSet). Then the planner starts again
//    with step 2 of CheckPlan.cpp.
// 6. giveUpAll: after too many rounds each site keeps only the needs of its own
//    instruction.
//
//===----------------------------------------------------------------------===//

#include "CheckPlanner.h"
#include "Options.h"
#include "ValueTests.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace graupel::fgdsm {

/// Ranges of one base closer than this are handed over as one.
static constexpr int64_t MergedGap = 64;

//===-- Step 3 ------------------------------------------------------------===//

void Planner::relyAcross(const Event &E, Facts &Set) const {
  switch (E.Kind) {
  case EventKind::Use:
    for (unsigned Index : Table.NeedsOf.lookup(E.At))
      Set.set(SatisfiedByRange[Index] < 0 ? Index
                                          : rangeBit(SatisfiedByRange[Index]));
    return;
  case EventKind::Check:
    // A check that is left out, or needs that it does not ask for, rely on what
    // is before.
    if (isChecked(Candidates[E.Index]))
      for (unsigned Need : Candidates[E.Index].Checked)
        Set.reset(Need);
    return;
  case EventKind::Range:
    return void(Set.reset(rangeBit(E.Index)));
  case EventKind::End:
    return void(Set.reset());
  case EventKind::Define:
    if (auto Found = DefinedBy.find(E.At); Found != DefinedBy.end())
      for (unsigned Base : Found->second)
        for (unsigned Need : Table.Bases[Base].Needs)
          Set.reset(Need);
    return;
  default:
    return;
  }
}

static Facts joinSuccessors(const BasicBlock *BB, unsigned Size,
                            const DenseMap<const BasicBlock *, Facts> &In) {
  Facts Out(Size);
  for (const BasicBlock *Next : successors(BB))
    if (auto Found = In.find(Next); Found != In.end())
      Out |= Found->second;
  return Out;
}

void Planner::findRelied() {
  ReliedIn.clear();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : reverse(Order)) {
      Facts Set = joinSuccessors(BB, NumFacts, ReliedIn);
      for (const Event &E : reverse(Events[BB]))
        relyAcross(E, Set);
      auto [I, New] = ReliedIn.try_emplace(BB, Set);
      if (New || I->second != Set) {
        I->second = Set;
        Changed = true;
      }
    }
  }
}

bool Planner::buildSets() {
  bool Final = true;
  for (BasicBlock *BB : Order) {
    Facts Set = joinSuccessors(BB, NumFacts, ReliedIn);
    Facts AfterUse;
    for (const Event &E : reverse(Events[BB])) {
      if (E.Kind == EventKind::Use)
        AfterUse = Set;
      if (E.Kind == EventKind::Check && isChecked(Candidates[E.Index])) {
        Candidate &C = Candidates[E.Index];
        C.Useless = C.Hoisted && none_of(C.Checked, [&](unsigned Need) {
                      return Set.test(Need);
                    });
        ByValue[E.Site] = !C.Hoisted && mayLookAtValue(C, AfterUse);
        if (ByValue[E.Site]) {
          Final &= buildSet(E, C.At->getNextNode(), AfterUse, 1);
        } else {
          Facts Others = Set;
          for (unsigned Need : C.Checked)
            Others.reset(Need);
          Final &= buildSet(E, C.At, std::move(Others), 1);
        }
      } else if (E.Kind == EventKind::Poll || E.Kind == EventKind::Lanes) {
        Final &= buildSet(E, E.At, Set, 0);
      } else if (E.Kind == EventKind::Range) {
        Facts Others = Set;
        Others.reset(rangeBit(E.Index));
        Final &= buildSet(E, E.At, std::move(Others), 1);
      }
      relyAcross(E, Set);
    }
  }
  return Final;
}

// Fills the set of a site; false if something relied on had to be given up.
bool Planner::buildSet(const Event &E, const Instruction *At, Facts Relied,
                       unsigned Own) {
  LiveSet &Set = Live[E.Site];
  Set.clear();
  Facts Lost(NumFacts);
  // Needs of the same instruction come first: they cannot be checked later.
  MapVector<unsigned, SmallVector<unsigned, 4>> OfBase;
  for (unsigned Index : Table.NeedsOf.lookup(E.At))
    if (Relied.test(Index))
      OfBase[Table.Needs[Index].Base];
  const unsigned Forced = OfBase.size();
  for (unsigned Bit : Relied.set_bits())
    if (Bit < Table.Needs.size())
      OfBase[Table.Needs[Bit].Base].push_back(Bit);

  unsigned Number = 0;
  for (auto &[Base, Needs] : OfBase) {
    bool Must = Number++ < Forced;
    int64_t Offset;
    LiveSet Ranges;
    Value *Pointer = Table.Bases[Base].pointerAt(At, In.DT, Offset);
    if (Pointer)
      rangesOfBase(Base, Needs, Pointer, Offset, Ranges);
    if (Pointer && (Must || Set.size() + Ranges.size() + Own <= LargestSet))
      append_range(Set, Ranges);
    else
      for (unsigned Need : Table.Bases[Base].Needs)
        Lost.set(Need);
  }
  for (unsigned Range = 0; Range != Markers.size(); ++Range) {
    if (!Relied.test(rangeBit(Range)))
      continue;
    CallBase *Marker = Markers[Range];
    if (Set.size() + Own < LargestSet && In.DT.dominates(Marker, At))
      Set.push_back({Marker->getArgOperand(0), 0, 0, Marker->getArgOperand(1),
                     cast<ConstantInt>(Marker->getArgOperand(2))->isOne()});
    else
      Lost.set(rangeBit(Range));
  }

  if (Lost.none())
    return true;
  Facts &Old = GivenUp[E.Site];
  if (Old.empty())
    Old.resize(NumFacts);
  Old |= Lost;
  return false;
}

// The needs as few ranges.
void Planner::rangesOfBase(unsigned Base, ArrayRef<unsigned> Indices,
                           Value *Pointer, int64_t Offset, LiveSet &Set) const {
  SmallVector<unsigned, 8> Sorted(Indices);
  llvm::sort(Sorted, [&](unsigned A, unsigned B) {
    return std::pair(Table.Needs[A].Lo, A) < std::pair(Table.Needs[B].Lo, B);
  });
  for (unsigned Index : Sorted) {
    const Need &N = Table.Needs[Index];
    int64_t Lo = N.Lo - Offset;
    if (!Set.empty()) {
      LiveRange &Last = Set.back();
      int64_t End = Last.Offset + int64_t(Last.Size);
      if (Lo <= End + MergedGap) {
        Last.Size = std::max(End, Lo + int64_t(N.Size)) - Last.Offset;
        Last.Store |= N.Store;
        continue;
      }
    }
    Set.push_back({Pointer, Lo, N.Size, nullptr, N.Store});
  }
}

// The way out if the search for sets does not end: slow paths keep nothing but
// what their own instruction needs.
void Planner::giveUpAll() {
  for (BasicBlock *BB : Order)
    for (const Event &E : Events[BB]) {
      if (E.Site == ~0u)
        continue;
      GivenUp[E.Site].clear();
      GivenUp[E.Site].resize(NumFacts, true);
      for (unsigned Index : Table.NeedsOf.lookup(E.At))
        GivenUp[E.Site].reset(Index);
    }
}

//===-- Step 4 ------------------------------------------------------------===//

bool Planner::mayLookAtValue(const Candidate &C,
                             const Facts &ReliedAfter) const {
  if (!looksAtValues() || C.Missing.size() != 1 || C.Missing.front() != C.Seed)
    return false;
  const Access &A = Plan.Accesses[Table.Needs[C.Seed].AccessIndex];
  auto *Load = dyn_cast<LoadInst>(A.Inst);
  // Aligned, so that it lies within a granule. Loading again is as right for an
  // atomic as for a plain load.
  if (!Load ||
      (A.Shape != AccessShape::Plain && A.Shape != AccessShape::Atomic) ||
      Load->isVolatile() || A.Alignment.value() < A.Bytes ||
      !isLoadedAtOnce(*Load->getType(), Load->getDataLayout()))
    return false;
  return none_of(C.Checked,
                 [&](unsigned Need) { return ReliedAfter.test(Need); });
}

bool Planner::looksAtValues() {
  return plansAsByDefault() || CheckModeOption == CheckMode::Sentinel;
}

bool Planner::mayLookAtLanes(const Access &A) {
  return looksAtValues() && !A.Store && A.Alignment.value() >= A.Bytes &&
         isa<FixedVectorType>(A.Inst->getType()) &&
         hasWord(*A.Inst->getType()->getScalarType());
}

} // namespace graupel::fgdsm
