//===- CheckPlacement.cpp - Steps 1 and 2 of planning checks --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps 1 and 2 of CheckPlan.cpp: where checks may stand, and which are made.
//
// 1. anticipate: iterate backwards over the blocks to a fixed point. A need is
//    anticipated where all paths use it before validity ends, a call may not
//    return, or its base is defined anew. Needs that a strip range may cover,
//    or that keep their own check, are not.
// 2. addHoists: visit loops in which nothing ends validity, outermost first.
//    Add a candidate to the preheader for needs that the header anticipates and
//    whose base is invariant. A load that is not certain qualifies if a need
//    near it is anticipated or accessed before the loop (mayBeTestedEarly).
// 3. formGroups: extend each candidate by anticipated needs of its base, over
//    gaps of at most WidestGap and up to WidestCheck bytes. Record all needs
//    that the group covers.
// 4. findAvailable: iterate forwards to a fixed point, as if all candidates and
//    strip ranges were checked. An end of validity and a definition remove
//    needs, and so does a site that gave them up.
// 5. decide: a candidate checks the hull of those needs of its group that are
//    not available, or that keep their own check. If there are none, it is left
//    out. For each use, record the strip range that makes it valid, if there is
//    one.
//
// 6. widen: a check of a load takes those beside it in that an unrolled loop comes
//    to if it goes on. It is of these only if it is made, so steps 4 and 5 are
//    repeated without those that none is made for (dropUnmade).
//
// Steps 4 to 6 are repeated while LiveSets.cpp gives something up.
//
//===----------------------------------------------------------------------===//

#include "CheckPlanner.h"
#include "graupel/dsm_checks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace graupel::fgdsm {

/// Needs further apart are checked apart: what lies between would be fetched
/// for nothing.
static constexpr int64_t WidestGap = 64;
/// As many tags as one load reads whatever the alignment.
static constexpr int64_t WidestCheck = 225;

template <class Function>
void Planner::forDefined(const Event &E, Function F) const {
  const Value *By = E.At;
  auto Found = DefinedBy.find(By);
  if (Found == DefinedBy.end())
    return;
  for (unsigned Base : Found->second)
    for (unsigned Need : Table.Bases[Base].Needs)
      F(Need);
}

//===-- Step 1 ------------------------------------------------------------===//

void Planner::anticipateAcross(const Event &E, Facts &Set) const {
  switch (E.Kind) {
  case EventKind::Use:
    for (unsigned Index : Table.NeedsOf.lookup(E.At))
      if (Table.Needs[Index].Free && Table.Needs[Index].Ranges.empty())
        Set.set(Index);
    return;
  case EventKind::End:
  case EventKind::MayNotReturn:
    return void(Set.reset());
  case EventKind::Define:
    return forDefined(E, [&](unsigned Need) { Set.reset(Need); });
  default:
    return;
  }
}

static Facts meetSuccessors(const BasicBlock *BB, unsigned Size,
                            const DenseMap<const BasicBlock *, Facts> &In) {
  Facts Out(Size, !succ_empty(BB));
  for (const BasicBlock *Next : successors(BB))
    if (auto Found = In.find(Next); Found != In.end())
      Out &= Found->second;
  return Out;
}

void Planner::anticipate() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : reverse(Order)) {
      Facts Set = meetSuccessors(BB, NumFacts, AnticipatedIn);
      for (const Event &E : reverse(Events[BB]))
        anticipateAcross(E, Set);
      auto [I, New] = AnticipatedIn.try_emplace(BB, Set);
      if (New || I->second != Set) {
        I->second = Set;
        Changed = true;
      }
    }
  }
}

bool Planner::endsValidity(const Loop &L) const {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    auto Found = Events.find(BB);
    return Found != Events.end() && any_of(Found->second, [](const Event &E) {
             return E.Kind == EventKind::End;
           });
  });
}

// Outermost loops first: what is checked before one needs no check before
// those inside.
void Planner::addHoists() {
  for (Loop *L : In.LI.getLoopsInPreorder()) {
    const BasicBlock *Preheader = L->getLoopPreheader();
    if (Preheader && AnticipatedIn.contains(Preheader) && !endsValidity(*L))
      addHoists(*L, Preheader);
  }
}

// Whether the loop behind Preheader may load it only now and then, but the
// check may stand before the loop nevertheless: something beside it is accessed
// before or behind for sure, so that there is such an object, and little would
// be fetched for nothing.
bool Planner::mayBeTestedEarly(const Need &N, const AddressBase &Base,
                               const BasicBlock *Preheader,
                               const Facts &Anticipated) const {
  if (N.Store || !N.Free || !N.Ranges.empty())
    return false;
  return any_of(Base.Needs, [&](unsigned Index) {
    const Need &Near = Table.Needs[Index];
    const Instruction *I = Plan.Accesses[Near.AccessIndex].Inst;
    return Near.Lo <= N.hi() + WidestGap && N.Lo <= Near.hi() + WidestGap &&
           (Anticipated.test(Index) ||
            In.DT.dominates(I, Preheader->getTerminator()));
  });
}

void Planner::addHoists(Loop &L, const BasicBlock *Preheader) {
  Instruction *At = const_cast<Instruction *>(Preheader->getTerminator());
  const Facts &Anticipated = AnticipatedIn[L.getHeader()];
  for (const AddressBase &Base : Table.Bases) {
    int64_t Offset;
    Value *Pointer = nullptr;
    BitVector Done(Table.Needs.size());
    for (unsigned Index : Base.Needs) {
      const Need &N = Table.Needs[Index];
      if (Done.test(Index) || !L.contains(Plan.Accesses[N.AccessIndex].Inst) ||
          !(Anticipated.test(Index) ||
            mayBeTestedEarly(N, Base, Preheader, Anticipated)))
        continue;
      if (!Pointer && (!In.SE.isLoopInvariant(Base.Expression, &L) ||
                       !(Pointer = Base.pointerAt(At, In.DT, Offset))))
        break;
      Events[Preheader].push_back(
          {EventKind::Check, unsigned(Candidates.size()), At, NumSites++});
      Candidates.push_back(
          {Index, true, At, Pointer, Offset, {}, {}, {}, {}, N, {}});
      formGroup(Candidates.back(), Anticipated);
      for (unsigned Covered : Candidates.back().Covered)
        Done.set(Covered);
    }
  }
}

void Planner::formGroups() {
  for (BasicBlock *BB : Order) {
    Facts Set = meetSuccessors(BB, NumFacts, AnticipatedIn);
    for (const Event &E : reverse(Events[BB])) {
      if (E.Kind == EventKind::Check && !Candidates[E.Index].Hoisted)
        formGroup(Candidates[E.Index], Set);
      anticipateAcross(E, Set);
    }
  }
}

void Planner::formGroup(Candidate &C, const Facts &Anticipated) {
  const Need &Seed = Table.Needs[C.Seed];
  const AddressBase &Base = Table.Bases[Seed.Base];
  C.Group = {C.Seed};
  if (!Free || !Seed.Ranges.empty())
    return;

  if (Seed.Free) {
    // A check of memory that might not be accessed does not ask for exclusive
    // access.
    const bool LoadsOnly = !Anticipated.test(C.Seed) && C.Hoisted;
    // Accesses behind the loop are not checked in each iteration.
    const Loop *L = In.LI.getLoopFor(C.At->getParent());
    int64_t Lo = Seed.Lo, Hi = Seed.hi();
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (unsigned Index : Base.Needs) {
        const Need &N = Table.Needs[Index];
        if (!Anticipated.test(Index) || is_contained(C.Group, Index) ||
            (LoadsOnly && N.Store) ||
            (L && !L->contains(Plan.Accesses[N.AccessIndex].Inst)) ||
            N.Lo > Hi + WidestGap || N.hi() < Lo - WidestGap ||
            std::max(Hi, N.hi()) - std::min(Lo, N.Lo) > WidestCheck)
          continue;
        Lo = std::min(Lo, N.Lo);
        Hi = std::max(Hi, N.hi());
        C.Group.push_back(Index);
        Grown = true;
      }
    }
  }
  for (unsigned Index : Base.Needs)
    if (Table.Needs[Index].Ranges.empty() &&
        any_of(C.Group, [&](unsigned Member) {
          return Table.Needs[Member].covers(Table.Needs[Index]);
        }))
      C.Covered.push_back(Index);
  if (Seed.Free)
    findBeside(C);
}

// Loads that some paths come to behind the candidate.
void Planner::findBeside(Candidate &C) const {
  for (unsigned Index : Table.Bases[Table.Needs[C.Seed].Base].Needs) {
    const Need &N = Table.Needs[Index];
    const Instruction *I = Plan.Accesses[N.AccessIndex].Inst;
    const Loop *L = In.LI.getLoopFor(C.At->getParent());
    if (!N.Store && N.Free && N.Ranges.empty() &&
        !is_contained(C.Covered, Index) && (!L || L->contains(I)) &&
        In.DT.dominates(C.At, I))
      C.Beside.push_back(Index);
  }
}

//===-- Step 2 ------------------------------------------------------------===//

void Planner::carryAcross(const Event &E, Facts &Set) const {
  if (E.Site != ~0u && !GivenUp[E.Site].empty())
    Set.reset(GivenUp[E.Site]);
  switch (E.Kind) {
  case EventKind::Check:
    for (unsigned Need : Candidates[E.Index].Covered)
      Set.set(Need);
    for (unsigned Need : Candidates[E.Index].Beside)
      Set.set(Need);
    return;
  case EventKind::Range:
    return void(Set.set(rangeBit(E.Index)));
  case EventKind::End:
    return void(Set.reset());
  case EventKind::Define:
    return forDefined(E, [&](unsigned Need) { Set.reset(Need); });
  default:
    return;
  }
}

static Facts meetPredecessors(const BasicBlock *BB, unsigned Size,
                              const DenseMap<const BasicBlock *, Facts> &Out) {
  Facts In(Size, !pred_empty(BB));
  for (const BasicBlock *Before : predecessors(BB))
    if (auto Found = Out.find(Before); Found != Out.end())
      In &= Found->second;
  return In;
}

void Planner::findAvailable() {
  AvailableOut.clear();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order) {
      Facts Set = meetPredecessors(BB, NumFacts, AvailableOut);
      for (const Event &E : Events[BB])
        carryAcross(E, Set);
      auto [I, New] = AvailableOut.try_emplace(BB, Set);
      if (New || I->second != Set) {
        I->second = Set;
        Changed = true;
      }
    }
  }
}

bool Planner::isAvailable(unsigned Index, const Facts &Set) const {
  return Set.test(Index) ||
         any_of(Table.Needs[Index].Ranges,
                [&](unsigned Range) { return Set.test(rangeBit(Range)); });
}

void Planner::decide() {
  for (BasicBlock *BB : Order) {
    Facts Set = meetPredecessors(BB, NumFacts, AvailableOut);
    for (const Event &E : Events[BB]) {
      if (E.Kind == EventKind::Check)
        decide(Candidates[E.Index], Set);
      if (E.Kind == EventKind::Use)
        for (unsigned Index : Table.NeedsOf.lookup(E.At)) {
          SatisfiedByRange[Index] = -1;
          for (unsigned Range : Table.Needs[Index].Ranges)
            if (Set.test(rangeBit(Range)))
              SatisfiedByRange[Index] = Range;
        }
      carryAcross(E, Set);
    }
  }
}

void Planner::decide(Candidate &C, const Facts &Available) {
  C.Missing.clear();
  C.Checked.clear();
  for (unsigned Index : C.Group)
    if (!Table.Needs[Index].Free || !isAvailable(Index, Available))
      C.Missing.push_back(Index);
  if (C.Missing.empty())
    return;
  C.Hull = Table.Needs[C.Missing.front()];
  int64_t Hi = C.Hull.hi();
  for (unsigned Index : C.Missing) {
    const Need &N = Table.Needs[Index];
    C.Hull.Lo = std::min(C.Hull.Lo, N.Lo);
    Hi = std::max(Hi, N.hi());
    C.Hull.Store |= N.Store;
  }
  C.Hull.Size = Hi - C.Hull.Lo;
  widen(C, Available);
  for (unsigned Index : Table.Bases[C.Hull.Base].Needs)
    if (C.Hull.covers(Table.Needs[Index]))
      C.Checked.push_back(Index);
}

// A check of one load does best by its value. But where a loop that goes on loads
// several beside it in the same granules, as an unrolled search does, one check of
// the tags is of all of them.
void Planner::widen(Candidate &C, const Facts &Available) const {
  static constexpr uint64_t GranuleBytes = 1 << GRAUPEL_DSM_GRANULE_SHIFT;
  static constexpr unsigned FewestBeside = 3;
  const Loop *L = In.LI.getLoopFor(C.At->getParent());
  const BasicBlock *Latch = L ? L->getLoopLatch() : nullptr;
  if (C.Hoisted || C.Missing.size() != 1 || C.Hull.Store || !Latch)
    return;
  const uint64_t Most = alignTo(C.Hull.Size, GranuleBytes);
  Need Wide = C.Hull;
  unsigned Repeated = 0;
  for (unsigned Index : C.Beside) {
    const Need &N = Table.Needs[Index];
    const int64_t Lo = std::min(Wide.Lo, N.Lo),
                  Hi = std::max(Wide.hi(), N.hi());
    if (isAvailable(Index, Available) || uint64_t(Hi - Lo) > Most ||
        !In.DT.dominates(Plan.Accesses[N.AccessIndex].Inst,
                         Latch->getTerminator()))
      continue;
    Wide.Lo = Lo;
    Wide.Size = Hi - Lo;
    ++Repeated;
  }
  if (Repeated >= FewestBeside)
    C.Hull = Wide;
}

// Whether a check was to be of what it is not of, as it is made.
bool Planner::dropUnmade() {
  bool Dropped = false;
  for (Candidate &C : Candidates) {
    const size_t Before = C.Beside.size();
    erase_if(C.Beside, [&](unsigned Index) {
      return !isChecked(C) || !C.Hull.covers(Table.Needs[Index]);
    });
    Dropped |= C.Beside.size() != Before;
  }
  return Dropped;
}

} // namespace graupel::fgdsm
