//===- CheckPlan.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instruction that may access shared memory gets, for each of its needs, an
// event Check before it and then an event Use. Preheaders of loops in which
// nothing ends validity get further checks of what the loop is bound to access.
//
//  1. Anticipation (backwards, on all ways): which needs will be used before
//     their base becomes another address or a call ends validity. A check is
//     for the needs near its own that are anticipated: the fields of a structure
//     share one, and it asks for a store if a store follows.
//  2. Availability (forwards, on all ways), as if every check were made. A check
//     whose needs are all available is left out, others check what is missing.
//  3. Reliance (backwards, on any way): which needs will be used without a check
//     of their own. That is what slow paths in between have to re-validate. What
//     one cannot (no address at hand, too many ranges) ends there, and all is
//     done again from 2.
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
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::fgdsm {

// More than this and nothing is re-validated at all; never seen.
static constexpr unsigned MostRounds = 16;

static bool isCallOf(const Instruction &I, StringRef Name) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == Name;
}

Planner::Planner(const PlanInput &In)
    : In(In), Plan{collectAccesses(In.F, In.Privacy), {}, {}, {}, {}, {}},
      Free(CheckModeOption == CheckMode::Default),
      Table(Plan.Accesses, In.SE, Free) {
  ReversePostOrderTraversal<Function *> RPO(&In.F);
  Order.append(RPO.begin(), RPO.end());
  for (Instruction *At : In.Polls.Before) {
    PollAt[At] = Plan.Polls.size();
    Plan.Polls.push_back({At, {}});
  }
  findRanges();
  NumFacts = Table.Needs.size() + Plan.Ranges.size();
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
      if (isCallOf(I, RangeMarkerName)) {
        auto &Call = cast<CallBase>(I);
        OfId[cast<ConstantInt>(Call.getArgOperand(3))->getZExtValue()] =
            RangeAt[&I] = Plan.Ranges.size();
        Plan.Ranges.push_back({&Call, {}});
      }
  for (Need &N : Table.Needs) {
    MDNode *Ids = Plan.Accesses[N.AccessIndex].Inst->getMetadata(
        CoveredMetadataName);
    if (!Ids || !N.Free)
      continue;
    for (const MDOperand &Id : Ids->operands())
      if (auto I =
              OfId.find(mdconst::extract<ConstantInt>(Id)->getZExtValue());
          I != OfId.end())
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
        Candidates.push_back({Index, false, &I,
                              Plan.Accesses[N.AccessIndex].pointer(), N.Lo,
                              {}, {}, {}, N, {}});
      }
      List.push_back({EventKind::Use, 0, &I});
    }
    if (auto Found = Table.LanesAt.find(&I); Found != Table.LanesAt.end())
      AddSite(EventKind::Lanes, Found->second, &I);
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isCallOf(I, RangeMarkerName) && !isCallOf(I, PollMarkerName)) {
      if (In.Shakes.endsValidity(*Call, In.Library))
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
    findAvailable();
    decide();
    findRelied();
    if (buildSets())
      break;
  }
  emit();
  return std::move(Plan);
}

void Planner::emit() {
  for (BasicBlock *BB : Order)
    for (const Event &E : Events[BB]) {
      switch (E.Kind) {
      case EventKind::Check:
        if (Candidates[E.Index].Useless)
          continue;
        if (isChecked(Candidates[E.Index]))
          emitCheck(E);
        else if (!Candidates[E.Index].Hoisted)
          Plan.Elisions.push_back(
              {Table.Needs[Candidates[E.Index].Seed].AccessIndex,
               SatisfiedByRange[Candidates[E.Index].Seed] >= 0});
        continue;
      case EventKind::Lanes: {
        const Access &A = Plan.Accesses[E.Index];
        Plan.Steps.push_back(
            {PlanStep::CheckStep, unsigned(Plan.Checks.size())});
        Plan.Checks.push_back({mayLookAtLanes(A) ? CheckKind::Sentinel
                                                 : CheckKind::Lanes,
                               E.At, E.Index, false,
                               A.pointer(), 0, A.Bytes, A.Alignment, A.Store,
                               std::move(Live[E.Site]), 1,
                               "each lane has an address of its own"});
        continue;
      }
      case EventKind::Poll:
        Plan.Polls[E.Index].Live = std::move(Live[E.Site]);
        Plan.Steps.push_back({PlanStep::PollStep, E.Index});
        continue;
      case EventKind::Range:
        Plan.Ranges[E.Index].Live = std::move(Live[E.Site]);
        Plan.Steps.push_back({PlanStep::RangeStep, E.Index});
        continue;
      default:
        continue;
      }
    }
}

void Planner::emitCheck(const Event &E) {
  const Candidate &C = Candidates[E.Index];
  const Need &Seed = Table.Needs[C.Seed];
  // The best that any of the accesses tells of the address.
  Align Known(1);
  for (unsigned Index : C.Missing) {
    const Need &N = Table.Needs[Index];
    Known = std::max(
        Known, commonAlignment(Plan.Accesses[N.AccessIndex].Alignment,
                               uint64_t(C.Hull.Lo - N.Lo)));
  }
  Plan.Steps.push_back({PlanStep::CheckStep, unsigned(Plan.Checks.size())});
  Plan.Checks.push_back({ByValue[E.Site] ? CheckKind::Sentinel
                                         : CheckKind::Table,
                         C.At, Seed.AccessIndex, C.Hoisted, C.Pointer,
                         C.Hull.Lo - C.PointerOffset, C.Hull.Size, Known,
                         C.Hull.Store, std::move(Live[E.Site]),
                         unsigned(C.Missing.size()), whyHere(C)});
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

static void printSet(raw_ostream &OS, const LiveSet &Set) {
  for (const LiveRange &R : Set) {
    OS << (R.Store ? "; store " : "; load ");
    cast<Value>(R.Start)->printAsOperand(OS, false);
    if (R.Bytes) {
      OS << " for ";
      cast<Value>(R.Bytes)->printAsOperand(OS, false);
    } else {
      OS << '[' << R.Offset << ", " << R.Offset + int64_t(R.Size) << ')';
    }
  }
}

void CheckPlan::print(raw_ostream &OS) const {
  static const char *const Kinds[] = {"table", "sentinel", "lanes"};
  for (const PlanStep &Step : Steps) {
    switch (Step.Kind) {
    case PlanStep::CheckStep: {
      const Check &C = Checks[Step.Index];
      OS << "  " << Kinds[unsigned(C.Kind)] << (C.Store ? " store " : " load ");
      cast<Value>(C.Pointer)->printAsOperand(OS, false);
      OS << '[' << C.Offset << ", " << C.Offset + int64_t(C.Size) << ") align "
         << C.Alignment.value() << (C.Hoisted ? " before loop" : "") << " for "
         << C.Covers;
      printSet(OS, C.Live);
      break;
    }
    case PlanStep::PollStep:
      OS << "  poll in ";
      Polls[Step.Index].At->getParent()->printAsOperand(OS, false);
      printSet(OS, Polls[Step.Index].Live);
      break;
    case PlanStep::RangeStep:
      OS << "  range ";
      Ranges[Step.Index].Marker->getArgOperand(0)->printAsOperand(OS, false);
      printSet(OS, Ranges[Step.Index].Live);
      break;
    }
    OS << '\n';
  }
}

} // namespace graupel::fgdsm
