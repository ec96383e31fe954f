//===- CheckPlan.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instruction that may access shared memory gets, for each of its needs,
// an event Check before it and then an event Use. Preheaders of loops in which
// nothing ends validity get further checks of what the loop is bound to access.
//
//  1. Anticipation (backwards, on all paths): which needs will be used before
//     their base becomes another address or a call ends validity. A check is
//     for the needs near its own that are anticipated: the fields of a
//     structure share one, and it asks for a store if a store follows.
//  2. Availability (forwards, on all paths), as if every check were made. A
//     check whose needs are all available is left out, others check what is
//     missing, or what an unrolled search loads besides.
//  3. Reliance (backwards, on any path): which needs will be used without a
//     check of their own. Slow paths in between have to re-validate them. A
//     need that one cannot (no address at hand, too many ranges) ends there,
//     and all is done again from 2.
//  4. A check of one load that nobody else relies on looks at the loaded value.
//
// Polls and slow paths end nothing (graupel/dsm_checks.h), so 1 and 2 know only
// calls, definitions, and what 3 gave up.
//
//===----------------------------------------------------------------------===//

#include "CheckPlan.h"
#include "CheckPlanner.h"
#include "Options.h"
#include "StripMining.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

// More than this and nothing is re-validated at all; never seen.
static constexpr unsigned MostRounds = 16;
/// Instructions that are moved to test an address with others.
static constexpr unsigned MostMoved = 4;

Planner::Planner(const PlanInput &In)
    : In(In), Plan{collectAccesses(In.F, In.Privacy), {}, {}, {}, {}, {}},
      Free(plansAsByDefault()), Table(Plan.Accesses, In.SE, Free) {
  ReversePostOrderTraversal<Function *> RPO(&In.F);
  Order.append(RPO.begin(), RPO.end());
  for (Instruction *At : In.Polls.Before) {
    PollAt[At] = Plan.Polls.size();
    Plan.Polls.push_back({At, {}, In.Polls.Waits.contains(At)});
  }
  findRanges();
  NumFacts = Table.Needs.size() + Markers.size();
  SatisfiedByRange.resize(Table.Needs.size(), -1);
  for (unsigned Index = 0; Index != Table.Bases.size(); ++Index) {
    for (Instruction *I : Table.Bases[Index].Definitions)
      DefinedBy[I].push_back(Index);
    for (const Loop *L : Table.Bases[Index].Loops)
      DefinedBy[L->getHeader()].push_back(Index);
  }
  for (BasicBlock *BB : Order)
    collectEvents(BB);
}

void Planner::findRanges() {
  DenseMap<uint64_t, unsigned> OfId;
  for (BasicBlock *BB : Order)
    for (Instruction &I : *BB)
      if (std::optional<uint64_t> Id = markedRange(I)) {
        OfId[*Id] = RangeAt[&I] = Markers.size();
        Markers.push_back(&cast<CallBase>(I));
      }
  for (Need &N : Table.Needs) {
    if (!N.Free)
      continue;
    for (uint64_t Id : coveringRanges(*Plan.Accesses[N.AccessIndex].Inst))
      if (auto I = OfId.find(Id); I != OfId.end())
        N.Ranges.push_back(I->second);
  }
}

void Planner::collectEvents(BasicBlock *BB) {
  std::vector<Event> &List = Events[BB];
  auto AddSite = [&](EventKind Kind, unsigned Index, Instruction *At) {
    List.push_back({Kind, Index, At, NumSites++});
  };
  if (DefinedBy.contains(BB))
    List.push_back({EventKind::Define, 0, nullptr});
  for (Instruction &I : *BB) {
    if (auto Found = PollAt.find(&I); Found != PollAt.end())
      AddSite(EventKind::Poll, Found->second, &I);
    if (auto Found = RangeAt.find(&I); Found != RangeAt.end())
      AddSite(EventKind::Range, Found->second, &I);
    if (auto Found = Table.NeedsOf.find(&I); Found != Table.NeedsOf.end()) {
      for (unsigned Index : Found->second) {
        const Need &N = Table.Needs[Index];
        AddSite(EventKind::Check, Candidates.size(), &I);
        Candidates.push_back({Index,
                              false,
                              &I,
                              Plan.Accesses[N.AccessIndex].pointer(),
                              N.Lo,
                              {},
                              {},
                              {},
                              {},
                              N,
                              {}});
      }
      List.push_back({EventKind::Use, 0, &I});
    }
    if (auto Found = Table.LanesAt.find(&I); Found != Table.LanesAt.end())
      AddSite(EventKind::Lanes, Found->second, &I);
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isMarker(I, RangeMarkerName) &&
        !isMarker(I, RefusedMarkerName) && !isMarker(I, PollMarkerName)) {
      if (In.HandshakePoints.endsValidity(*Call, In.Library))
        List.push_back({EventKind::End, 0, &I});
      else if (!Call->doesNotThrow() || !Call->hasFnAttr(Attribute::WillReturn))
        List.push_back({EventKind::MayNotReturn, 0, &I});
    }
    if (DefinedBy.contains(&I))
      List.push_back({EventKind::Define, 0, &I});
  }
}

CheckPlan Planner::run() {
  anticipate();
  if (Free)
    addHoists();
  formGroups();
  GivenUp.resize(NumSites);
  Live.resize(NumSites);
  ByValue.resize(NumSites);
  for (unsigned Round = 0;; ++Round) {
    if (Round == MostRounds)
      giveUpAll();
    do {
      findAvailable();
      decide();
    } while (dropUnmade());
    findRelied();
    if (buildSets())
      break;
  }
  emit();
  return std::move(Plan);
}

void Planner::emit() {
  for (BasicBlock *BB : Order) {
    Joining Open = Joining::No;
    for (const Event &E : Events[BB])
      switch (E.Kind) {
      case EventKind::Check:
        emitCheck(E, Open);
        continue;
      case EventKind::Range: {
        CallBase *Marker = Markers[E.Index];
        addTest(E,
                {{Marker->getArgOperand(0), 0, 0, Marker->getArgOperand(1),
                  cast<ConstantInt>(Marker->getArgOperand(2))->isOne()},
                 Align(1),
                 Marker},
                Open);
        continue;
      }
      case EventKind::Lanes: {
        const Access &A = Plan.Accesses[E.Index];
        bool ByValue = mayLookAtLanes(A);
        Plan.Steps.push_back(
            {PlanStep::CheckStep, unsigned(Plan.Checks.size())});
        Plan.Checks.push_back(
            {ByValue ? CheckKind::Sentinel : CheckKind::Lanes,
             E.At,
             {{{A.pointer(), 0, A.Bytes, nullptr, A.Store}, A.Alignment}},
             std::move(Live[E.Site])});
        Plan.Reasons.push_back({E.Index, A.Bytes, 1, ByValue, false,
                                "each lane has an address of its own"});
        Open = Joining::No;
        continue;
      }
      case EventKind::Poll:
        Plan.Polls[E.Index].Live = std::move(Live[E.Site]);
        Plan.Steps.push_back({PlanStep::PollStep, E.Index});
        Open = Joining::No;
        continue;
      case EventKind::End:
      case EventKind::MayNotReturn:
        Open = Joining::No;
        continue;
      case EventKind::Use:
        if (Open == Joining::Anywhere)
          Open = Joining::There;
        continue;
      case EventKind::Define:
        continue;
      }
  }
}

void Planner::emitCheck(const Event &E, Joining &Open) {
  const Candidate &C = Candidates[E.Index];
  const unsigned AccessIndex = Table.Needs[C.Seed].AccessIndex;
  if (C.Useless)
    return;
  if (!isChecked(C)) {
    if (!C.Hoisted)
      Plan.Elisions.push_back({AccessIndex, SatisfiedByRange[C.Seed] >= 0});
    return;
  }
  Plan.Reasons.push_back({AccessIndex, C.Hull.Size, unsigned(C.Missing.size()),
                          ByValue[E.Site], C.Hoisted, whyHere(C)});
  Tested Test{{C.Pointer, C.Hull.Lo - C.PointerOffset, C.Hull.Size, nullptr,
               C.Hull.Store},
              alignmentOf(C)};
  // Accesses that keep their checks do not share them.
  const bool Alone = ByValue[E.Site] || !Table.Needs[C.Seed].Free;
  if (Alone)
    Open = Joining::No;
  addTest(E, Test, Open);
  if (ByValue[E.Site])
    Plan.Checks.back().Kind = CheckKind::Sentinel;
  if (Alone)
    Open = Joining::No;
}

// The best that any of the accesses tells of the address.
Align Planner::alignmentOf(const Candidate &C) const {
  Align Known(1);
  for (unsigned Index : C.Missing) {
    const Need &N = Table.Needs[Index];
    Known =
        std::max(Known, commonAlignment(Plan.Accesses[N.AccessIndex].Alignment,
                                        uint64_t(C.Hull.Lo - N.Lo)));
  }
  return Known;
}

// Whether V is known at At or can be computed there, of what stands behind At
// in its block, in few steps.
static bool canBeAt(const Value &V, const Instruction &At,
                    const DominatorTree &DT, unsigned &Steps) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || DT.dominates(I, &At))
    return true;
  if (I->getParent() != At.getParent() || Steps == 0 ||
      !isa<GetElementPtrInst, BinaryOperator, CastInst>(I) ||
      !isSafeToSpeculativelyExecute(I))
    return false;
  --Steps;
  return all_of(I->operands(), [&](const Use &Operand) {
    return canBeAt(*Operand, At, DT, Steps);
  });
}

// One slow path for several tests makes valid what all are about. A test joins
// the last check where that stands, if its address can be known there, or takes
// the check to its own place, if nobody has relied on it yet.
bool Planner::join(const Event &E, const Tested &Test, Joining Open) {
  if (Open == Joining::No)
    return false;
  Check &Last = Plan.Checks.back();
  if (Last.Tests.size() >= LargestSet)
    return false;
  auto IsThere = [&](const Value *V) {
    unsigned Steps = MostMoved;
    return !V || canBeAt(*V, *Last.At, In.DT, Steps);
  };
  if (!IsThere(Test.Memory.Start) || !IsThere(Test.Memory.Bytes)) {
    if (Open != Joining::Anywhere)
      return false;
    Last.At = E.At;
  }
  Last.Tests.push_back(Test);
  return true;
}

void Planner::addTest(const Event &E, const Tested &Test, Joining &Open) {
  if (!join(E, Test, Open)) {
    Plan.Steps.push_back({PlanStep::CheckStep, unsigned(Plan.Checks.size())});
    Plan.Checks.push_back(
        {CheckKind::Table, E.At, {Test}, std::move(Live[E.Site])});
    Open = Joining::Anywhere;
  }
}

StringRef Planner::whyHere(const Candidate &C) const {
  const Access &A = Plan.Accesses[Table.Needs[C.Seed].AccessIndex];
  if (C.Hoisted)
    return "it is the same in each iteration of the loop that follows";
  if (A.Shape == AccessShape::Volatile)
    return "volatile accesses are checked one by one";
  if (A.Shape == AccessShape::Atomic)
    return "atomic accesses are checked one by one";
  const Loop *L = In.LI.getLoopFor(C.At->getParent());
  if (!L)
    return "nothing before it has checked this memory";
  if (!In.SE.isLoopInvariant(Table.Bases[Table.Needs[C.Seed].Base].Expression,
                             L))
    return "its address changes in the loop and is not part of a strip";
  if (endsValidity(*L))
    return "a call in the loop ends the validity of checks before the loop";
  return "the loop may not reach it in its first iteration";
}

CheckPlan planChecks(const PlanInput &In) { return Planner(In).run(); }

//===-- Printing ----------------------------------------------------------===//

static void print(raw_ostream &OS, const LiveRange &R) {
  OS << (R.Store ? "store " : "load ");
  cast<Value>(R.Start)->printAsOperand(OS, false);
  if (R.Bytes) {
    OS << " for ";
    cast<Value>(R.Bytes)->printAsOperand(OS, false);
  } else {
    OS << '[' << R.Offset << ", " << R.Offset + int64_t(R.Size) << ')';
  }
}

static void print(raw_ostream &OS, const Check &C) {
  static const char *const Kinds[] = {"table", "sentinel", "lanes"};
  OS << "  " << Kinds[unsigned(C.Kind)];
  const char *Separator = " ";
  for (const Tested &Test : C.Tests) {
    OS << Separator;
    Separator = " and ";
    print(OS, Test.Memory);
    if (!Test.Marker)
      OS << " align " << Test.Alignment.value();
  }
}

void CheckPlan::print(raw_ostream &OS) const {
  for (const PlanStep &Step : Steps) {
    const LiveSet *Set;
    if (Step.Kind == PlanStep::CheckStep) {
      fgdsm::print(OS, Checks[Step.Index]);
      Set = &Checks[Step.Index].Live;
    } else {
      OS << (Polls[Step.Index].Waits ? "  wait in " : "  poll in ");
      Polls[Step.Index].At->getParent()->printAsOperand(OS, false);
      Set = &Polls[Step.Index].Live;
    }
    for (const LiveRange &R : *Set) {
      OS << "; ";
      fgdsm::print(OS, R);
    }
    OS << '\n';
  }
}

} // namespace graupel::fgdsm
