//===- HotCold/RegisterSummaries.cpp - Calls' register effects ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds for each function:
//
// 1. The registers that it writes itself, and its callees (ownEffects).
// 2. If calls through pointers may lead to it: the registers that it may read
//    (PointerTargets). The registers that it changes grow with 3.
// 3. The registers that may have changed when it returns: those that it or its
//    callees write, except those that hold the caller's value at each end
//    (EntryValues). Grows to the least solution.
// 4. The registers that are certainly overwritten: assigned to on each path to
//    an end, by itself or by a callee. Starts with none, so that each step is
//    correct.
// 5. The registers that it reads: its live registers, also the least solution.
// 6. The registers that callers read behind calls, except results of the ABI;
//    then 5 again if there are any.
//
//===----------------------------------------------------------------------===//

#include "RegisterSummaries.h"
#include "Assumptions.h"
#include "CallOrder.h"
#include "Liveness.h"
#include "OwnResults.h"
#include "PointerTargets.h"
#include "RegisterOutline.h"
#include "StayingCalls.h"
#include "Support/ComputedGoto.h"
#include "Support/Rounds.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// The effects of one function's own code, and its callees.
struct graupel::OwnEffects {
  RegisterSet Writes = 0;
  SetVector<const BinaryFunction *> Callees;
  bool CallsOthers = false;  ///< In other images, or through a pointer.
  bool CallsUnknown = false; ///< Unknown code in this image.
  SetVector<const BinaryFunction *> Unread; ///< The unknown callees.
  /// Jumps to an unknown place, be it a tail call or not.
  bool JumpsAnywhere = false;
  std::optional<RegisterOutline> Outline;
};

namespace {

OwnEffects ownEffects(const BinaryFunction &BF, const RegisterModel &Model) {
  const BinaryContext &BC = BF.getBinaryContext();
  OwnEffects E;
  E.JumpsAnywhere = hasUnknownEdges(BF);
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block) {
      if (Model.isPseudo(Inst))
        continue;
      E.JumpsAnywhere |= BC.MIB->isIndirectBranch(Inst) &&
                         !Model.isTailCall(Inst) && Block.succ_empty();
      E.Writes |= Model.effects(Inst).Writes;
      if (!Model.isCall(Inst))
        continue;
      const CallTarget To = targetOf(BC, Inst);
      if (To.isElsewhere())
        E.CallsOthers = true;
      else if (To.IsBeginning && hasCode(*To.Function))
        E.Callees.insert(To.Function);
      else {
        E.CallsUnknown = true;
        E.Unread.insert(To.Function);
      }
    }
  return E;
}

} // namespace

/// For tests of the proof.
static void breakAssumptions(RegisterSummaries::Summary &S) {
  if (isBroken(Assumption::CalleePreserves))
    S.MayChange = 0;
  if (isBroken(Assumption::CalleeOverwrites))
    S.Overwrites = ~reg::RSP;
  if (isBroken(Assumption::CalleeReads))
    S.Uses = S.Reads = 0;
  if (isBroken(Assumption::CalleeReturns))
    S.Returns = false;
  if (isBroken(Assumption::Results))
    S.Results = 0;
  if (isBroken(Assumption::CallersKeep))
    S.Writes = reg::All;
}

RegisterSummaries::RegisterSummaries(BinaryContext &BC,
                                     const RegisterModel &Model,
                                     const StackModel &Stack)
    : BC(BC) {
  // Callees first: most functions are looked at once.
  EffectsOfFunctions Functions;
  for (BinaryFunction *BF : calleesFirst(BC))
    if (hasCode(*BF))
      Functions.push_back({BF, ownEffects(*BF, Model)});
  UnreadCode Unread(BC, Model);
  findWrites(Functions, Unread);
  const PointerTargets Pointed(BC, Model, Unread);
  OfOthers.Reads = 0;
  if (!isBroken(Assumption::PointerTargets)) {
    const OwnConvention &Own = Pointed.convention();
    OfOthers.Uses |= Own.Reads;
    OfOthers.Reads |= Own.Reads;
    OfOthers.MayChange |= Own.Changes;
  }
  findChanges(Functions, Model, Stack, Pointed, Unread);
  findOverwritten(Functions, Model);
  // It is known now for whom registers are pushed, and whether calls return.
  for (auto &[BF, E] : Functions)
    E.Outline.emplace(*BF, Model, *this);
  StayingCalls Staying(Model);
  auto returns = [&](const MCInst &Call) { return ofCall(Call).Returns; };
  OwnResults Own(BC, Model, returns);
  const CallersOfFunctions Callers = callersOf(Functions);
  CallersOfFunctions OfAnyEntry = Callers;
  for (const auto &[BF, E] : Functions)
    for (const BinaryFunction *Callee : E.Unread)
      OfAnyEntry[Callee].push_back(BF);
  FunctionSet All;
  All.insert_range(make_first_range(Functions));
  lookInRounds(
      make_first_range(Functions), std::move(All),
      [&](const BinaryFunction &BF) { return Own.look(BF); },
      [&](const BinaryFunction &BF) { return OfAnyEntry.lookup(&BF); });
  // All callers of other functions are in this image and show what they take.
  for (const BinaryFunction *BF : Pointed.functions())
    Known[BF].Results |= Own.of(*BF);
  for (auto &[BF, S] : Known)
    if (Staying.hasUnknownCaller(*BF))
      S.Results |= PossibleResults;
  FunctionSet Stale = forget(&Summary::Uses, Functions);
  RegisterSet OfUnknown = 0;
  RegisterSet More =
      readBehindUnknownCalls(Functions, Model) | Staying.readBehindPointers();
  do {
    OfUnknown |= More;
    Staying.addResultsToAll(OfUnknown);
    for (const auto &[BF, E] : Functions)
      if (RegisterSet &Results = Known[BF].Results; OfUnknown & ~Results) {
        Results |= OfUnknown;
        Stale.insert(BF);
      }
    do {
      const FunctionSet Found =
          findUses(Functions, Callers, std::move(Stale), Model);
      Stale = findResults(Functions, Found, Model, Staying);
      addResultsFor(Staying, Unread, Stale);
      addHandedOn(Staying, Functions, Stale);
    } while (!Stale.empty());
    More = (passedOn(Functions) | Staying.passedOn()) & ~OfUnknown;
  } while (More);
  findReads(Functions, Callers, Model);
  for (auto &[BF, S] : Known)
    breakAssumptions(S);
}

RegisterSummaries::Summary RegisterSummaries::unknown() {
  Summary S;
  S.Uses = S.Reads = reg::All;
  S.MayChange = reg::All & ~reg::RSP;
  S.Writes = 0;
  return S;
}

void RegisterSummaries::print(raw_ostream &OS,
                              const RegisterModel &Model) const {
  const RegisterSet Read = OfOthers.Uses & ~reg::Parameters;
  const RegisterSet Changed = OfOthers.MayChange & reg::CalleeSaved;
  if (!Read && !Changed)
    return;
  OS << "calls through pointers may read ";
  Model.print(OS, Read);
  OS << "; change ";
  Model.print(OS, Changed);
  OS << '\n';
}

/// Finds registers that compilers certainly know a function to write.
void RegisterSummaries::findWrites(const EffectsOfFunctions &Functions,
                                   UnreadCode &Unread) {
  for (const auto &[BF, E] : Functions) {
    RegisterSet &Writes = Known[BF].Writes;
    Writes = (E.Writes & ~reg::RSP) | (E.CallsOthers ? reg::CallerSaved : 0);
    for (const BinaryFunction *Callee : E.Unread) {
      Writes |= Unread.writes(*Callee);
      // Many call the same.
      if (hasCode(*Callee) || isBroken(Assumption::UnreadCode) ||
          OwnConventions.contains(Callee))
        continue;
      OwnConventions[Callee] = Unread.conventionOf(*Callee, /*Strict=*/true);
    }
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[BF, E] : Functions) {
      RegisterSet &Writes = Known[BF].Writes;
      const RegisterSet Before = Writes;
      for (const BinaryFunction *Callee : E.Callees)
        Writes |= Known.lookup(Callee).Writes;
      Changed |= Writes != Before;
    }
  }
}

/// A tail call passes on the caller's return address.
bool RegisterSummaries::tailCallsReader(const BinaryFunction &BF) const {
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (BC.MIB->isTailCall(Inst) && ofCall(Inst).ReadsReturnAddress)
        return true;
  return false;
}

/// The callees whose summaries went into that of a function: null stands for
/// other images and for code without a summary.
struct graupel::SummaryQuestion {
  explicit SummaryQuestion(const OwnEffects &E)
      : Callees(E.Callees.begin(), E.Callees.end()) {
    if (E.CallsOthers || E.CallsUnknown)
      Callees.insert(nullptr);
  }
  SmallPtrSet<const BinaryFunction *, 8> Callees;
  unsigned Time = 0; ///< When it was last asked.
};

namespace {

/// Tells which questions would have the same answer again.
class AnswerTimes {
public:
  bool isAnswered(const SummaryQuestion &Asked) const {
    return Asked.Time &&
           all_of(Asked.Callees, [&](const BinaryFunction *Callee) {
             return ChangedAt.lookup(Callee) < Asked.Time;
           });
  }
  void ask(SummaryQuestion &Asked) { Asked.Time = ++Now; }
  void noteChange(const BinaryFunction *BF) { ChangedAt[BF] = Now; }

private:
  unsigned Now = 0;
  DenseMap<const BinaryFunction *, unsigned> ChangedAt;
};

} // namespace

/// Finds the state that \p BF, which is no part, may have changed at its ends.
void RegisterSummaries::findKept(const BinaryFunction &BF, EntryValues &Values,
                                 SummaryQuestion &Asked, Summary &S) const {
  const KeptState Kept = Values.find(BF, [&](const MCInst &Call) {
    const CallTarget To = targetOf(BC, Call);
    Asked.Callees.insert(Known.contains(To.Function) ? To.Function : nullptr);
    const Summary Callee = ofTarget(To);
    return CalleeState{Callee.MayChange, Callee.KeepsStack, Callee.Returns};
  });
  // A function that knows its return address may return a second time, when
  // only the saved registers are unchanged.
  if (!Kept.KeepsStack || Kept.ReadsReturnAddress)
    S.MayChange |= reg::CallerSaved;
  S.MayChange |= Kept.Changed & reg::CalleeSaved;
  S.KeepsStack &= Kept.KeepsStack;
  S.ReadFromStack |= Kept.ReadFromStack;
  S.ReadsReturnAddress |= Kept.ReadsReturnAddress || tailCallsReader(BF);
  // Compilers save no registers in functions that never return.
  S.Returns = Kept.HasEnd;
}

void RegisterSummaries::findChanges(const EffectsOfFunctions &Functions,
                                    const RegisterModel &Model,
                                    const StackModel &Stack,
                                    const PointerTargets &Pointed,
                                    UnreadCode &Unread) {
  EntryValues Values(BC, Model, Stack);
  std::vector<SummaryQuestion> Questions;
  for (const auto &[BF, E] : Functions) {
    Known[BF].MayChange = E.Writes & ~reg::CalleeSaved & ~reg::RSP;
    if (E.CallsOthers || E.CallsUnknown || E.JumpsAnywhere)
      Known[BF].MayChange |= reg::CallerSaved;
    Questions.emplace_back(E);
  }
  AnswerTimes Times;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[Function, Asked] : zip_equal(Functions, Questions)) {
      if (Times.isAnswered(Asked))
        continue;
      Times.ask(Asked);
      const auto &[BF, E] = Function;
      Summary &S = Known[BF];
      const Summary Before = S;
      for (const BinaryFunction *Callee : E.Callees)
        S.MayChange |= Known.lookup(Callee).MayChange & ~reg::CalleeSaved;
      // Parts have the frame of the procedure, whose summary speaks for them.
      if (!BF->isFragment())
        findKept(*BF, Values, Asked, S);
      const bool IsWorse = S.MayChange != Before.MayChange ||
                           S.KeepsStack != Before.KeepsStack ||
                           S.ReadsReturnAddress != Before.ReadsReturnAddress;
      Changed |= IsWorse;
      if (IsWorse || S.Returns != Before.Returns)
        Times.noteChange(BF);
    }
    if (isBroken(Assumption::PointerTargets))
      continue;
    for (const BinaryFunction *BF : Pointed.functions()) {
      const Summary S = Known.lookup(BF);
      RegisterSet More = S.Returns ? S.MayChange & reg::CalleeSaved : 0;
      // Where values cannot be followed, the bytes show what it saves.
      if (More &= ~OfOthers.MayChange)
        More &= Unread.conventionOf(*BF, /*Strict=*/false).Changes;
      OfOthers.MayChange |= More;
      if (!More)
        continue;
      Changed = true;
      Times.noteChange(nullptr);
    }
  }
  for (const auto &[BF, E] : Functions)
    if (!Known[BF].Returns)
      Known[BF].MayChange = 0;
}

namespace {

/// Registers that are assigned to on all paths to the ends of a function.
class Assigned {
public:
  Assigned(const BinaryFunction &BF, const RegisterModel &Model,
           const RegisterSummaries &Summaries)
      : BF(BF), MIB(*BF.getBinaryContext().MIB), Model(Model),
        Summaries(Summaries), Into(BF.size(), reg::All) {}

  RegisterSet find() {
    RegisterSet AtEnds = reg::All;
    for (const BinaryBasicBlock &Block : BF)
      if (Block.isEntryPoint())
        Into[Block.getIndex()] = 0;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BinaryBasicBlock &Block : BF)
        Changed |= step(Block, AtEnds);
    }
    return AtEnds;
  }

private:
  const BinaryFunction &BF;
  const MCPlusBuilder &MIB;
  const RegisterModel &Model;
  const RegisterSummaries &Summaries;
  std::vector<RegisterSet> Into;

  bool step(const BinaryBasicBlock &Block, RegisterSet &AtEnds) {
    RegisterSet Now = Into[Block.getIndex()];
    bool Returns = true, Changed = false;
    for (const MCInst &Inst : Block) {
      if (Model.isPseudo(Inst))
        continue;
      if (Model.isReturn(Inst))
        AtEnds &= Now;
      const bool IsCall = Model.isCall(Inst);
      const RegisterSummaries::Summary Callee =
          IsCall ? Summaries.ofCall(Inst) : RegisterSummaries::Summary();
      if (IsCall && Model.isTailCall(Inst)) {
        if (Callee.Returns)
          AtEnds &= Now | Callee.Overwrites;
        continue;
      }
      for (const BinaryBasicBlock *Pad : Block.landing_pads())
        if (IsCall)
          Changed |= meet(*Pad, Now);
      Now |= IsCall ? Callee.Overwrites : Model.effects(Inst).Kills;
      Returns &= !IsCall || Callee.Returns;
    }
    if (!Returns)
      return Changed;
    // A block may be empty, and control may run out of it to unknown code.
    const MCInst *Last = Block.getLastNonPseudoInstr();
    if (Block.succ_empty() && (!Last || MIB.isIndirectBranch(*Last)))
      AtEnds = 0;
    for (const BinaryBasicBlock *To : Block.successors())
      Changed |= meet(*To, Now);
    return Changed;
  }

  bool meet(const BinaryBasicBlock &To, RegisterSet With) {
    RegisterSet &Known = Into[To.getIndex()];
    const RegisterSet Before = Known;
    Known &= With;
    return Known != Before;
  }
};

} // namespace

/// Excludes saved registers, which may be restored. If a part of another
/// register's old value is left, that value has been read and counts as used.
void RegisterSummaries::findOverwritten(const EffectsOfFunctions &Functions,
                                        const RegisterModel &Model) {
  for (const auto &[BF, E] : Functions)
    if (BF->isSimple() && Known[BF].KeepsStack && Known[BF].Returns &&
        !E.JumpsAnywhere)
      Known[BF].Overwrites = Assigned(*BF, Model, *this).find() &
                             Known[BF].MayChange & ~reg::CalleeSaved;
}

RegisterSummaries::CallersOfFunctions
RegisterSummaries::callersOf(const EffectsOfFunctions &Functions) {
  CallersOfFunctions Callers;
  for (const auto &[BF, E] : Functions)
    for (const BinaryFunction *Callee : E.Callees)
      Callers[Callee].push_back(BF);
  return Callers;
}

/// The registers that functions read are the least solution, wherever they take
/// their parameters: assembly has its own conventions. Starts from the last
/// solution and makes it anew for the functions \p Stale. Returns all functions
/// in which other registers may be live than before.
RegisterSummaries::FunctionSet
RegisterSummaries::findUses(const EffectsOfFunctions &Functions,
                            const CallersOfFunctions &Callers,
                            FunctionSet Stale, const RegisterModel &Model) {
  return findLeast(
      &Summary::Uses, Functions, Callers, std::move(Stale),
      [&](BinaryFunction &BF, const OwnEffects &E) {
        return Liveness::ofUses(BF, *E.Outline, Model, *this).into(BF.front());
      });
}

void RegisterSummaries::findReads(const EffectsOfFunctions &Functions,
                                  const CallersOfFunctions &Callers,
                                  const RegisterModel &Model) {
  findLeast(
      &Summary::Reads, Functions, Callers, forget(&Summary::Reads, Functions),
      [&](BinaryFunction &BF, const OwnEffects &E) {
        return Liveness::ofReads(BF, *E.Outline, Model, *this).into(BF.front());
      });
}

RegisterSummaries::FunctionSet
RegisterSummaries::forget(RegisterSet Summary::*Field,
                          const EffectsOfFunctions &Functions) {
  FunctionSet All;
  for (const auto &[BF, E] : Functions) {
    Known[BF].*Field = 0;
    All.insert(BF);
  }
  return All;
}

RegisterSummaries::FunctionSet RegisterSummaries::findLeast(
    RegisterSet Summary::*Field, const EffectsOfFunctions &Functions,
    const CallersOfFunctions &Callers, FunctionSet ToDo,
    function_ref<RegisterSet(BinaryFunction &, const OwnEffects &)> Find) {
  FunctionSet Done;
  while (!ToDo.empty())
    for (const auto &[BF, E] : Functions) {
      if (!ToDo.erase(BF))
        continue;
      Done.insert(BF);
      // A function that continues elsewhere, or with unknown entries, reads
      // anything. Liveness handles computed jumps.
      Summary &S = Known[BF];
      const RegisterSet Found =
          !S.KeepsStack || hasUnknownEdges(*BF) ? reg::All : Find(*BF, E);
      if (S.*Field == Found)
        continue;
      S.*Field = Found;
      const auto CallersOfIt = Callers.find(BF);
      if (CallersOfIt != Callers.end())
        ToDo.insert_range(CallersOfIt->second);
    }
  return Done;
}

/// Looks at the code directly behind calls through pointers. Behind branches,
/// registers may be read that hold nothing on this path, and any code may
/// follow the last call of a block if it never returns.
RegisterSet
RegisterSummaries::readBehindUnknownCalls(const EffectsOfFunctions &Functions,
                                          const RegisterModel &Model) const {
  RegisterSet Result = 0;
  for (const auto &[BF, E] : Functions) {
    if (!E.CallsOthers && !E.CallsUnknown)
      continue;
    for (const BinaryBasicBlock &Block : *BF) {
      RegisterSet Open = 0;
      for (const MCInst &Inst : Block) {
        if (Model.isPseudo(Inst))
          continue;
        const RegisterEffects Effects = Model.effects(Inst);
        // Writing a part of a register reads nothing.
        Result |= Open & Effects.Reads & ~(Effects.Writes & ~Effects.Kills);
        Open &= ~Effects.Writes;
        if (Model.isCall(Inst))
          Open = targetOf(BC, Inst).Function ? 0 : PossibleResults;
      }
    }
  }
  return Result;
}

/// Results of functions that may have been made by callees through pointers.
RegisterSet
RegisterSummaries::passedOn(const EffectsOfFunctions &Functions) const {
  RegisterSet Results = 0;
  for (const auto &[BF, E] : Functions)
    if (E.CallsOthers || E.CallsUnknown)
      Results |= Known.lookup(BF).Results;
  return Results & PossibleResults;
}

/// A register that a function may have changed and a caller needs is a result.
/// Looks at the callers \p Changed; returns the functions with new results.
RegisterSummaries::FunctionSet RegisterSummaries::findResults(
    const EffectsOfFunctions &Functions, const FunctionSet &Changed,
    const RegisterModel &Model, StayingCalls &Staying) {
  FunctionSet WithMore;
  for (const auto &[BF, E] : Functions) {
    if (!Changed.contains(BF) || (E.Callees.empty() && E.Unread.empty()) ||
        !Known[BF].KeepsStack)
      continue;
    const Liveness Live = Liveness::ofUses(*BF, *E.Outline, Model, *this);
    Live.visitCalls(*E.Outline, [&](const RegisterOutline::Step &Call,
                                    RegisterSet After) {
      auto Callee = Known.find(Call.Target.Function);
      const RegisterSet Wanted = After | (Call.IsTail ? Known[BF].Results : 0);
      if (Call.Target.Function)
        Staying.addResults(*Call.Target.Function, Wanted);
      if (!Call.Target.IsBeginning || Callee == Known.end())
        return;
      const RegisterSet New = Wanted & Callee->second.MayChange &
                              ~reg::CalleeSaved & ~Callee->second.Results;
      Callee->second.Results |= New;
      if (New)
        WithMore.insert(Callee->first);
    });
  }
  return WithMore;
}

/// Adds results that functions that stay read behind their calls. Adds the
/// functions with new results to \p WithMore.
void RegisterSummaries::addResultsFor(StayingCalls &Staying, UnreadCode &Unread,
                                      FunctionSet &WithMore) {
  if (isBroken(Assumption::StayingCallers))
    return;
  Staying.visitCalls(
      [&](const BinaryFunction &Callee) {
        const auto At = Known.find(&Callee);
        const RegisterSet Reads =
            At != Known.end() ? At->second.Uses
            : Callee.isPLTFunction()
                ? 0
                : Unread.conventionOf(Callee, /*Strict=*/true).Reads;
        return Reads & reg::Flags;
      },
      [&](const BinaryFunction &BF, RegisterSet Behind) {
        const auto Callee = Known.find(&BF);
        if (Callee == Known.end())
          return;
        Summary &S = Callee->second;
        const RegisterSet New =
            Behind & S.MayChange & ~reg::CalleeSaved & ~S.Results;
        S.Results |= New;
        if (New)
          WithMore.insert(&BF);
      });
}

/// Registers that functions that stay hand on to their callees are read by
/// their callers. Adds these callers to \p Stale if there are more than before.
void RegisterSummaries::addHandedOn(StayingCalls &Staying,
                                    const EffectsOfFunctions &Functions,
                                    FunctionSet &Stale) {
  if (isBroken(Assumption::StayingCallers))
    return;
  FunctionSet Changed;
  for (const BinaryFunction *BF :
       Staying.findHandedOn([&](const BinaryFunction &Callee) {
         const auto At = Known.find(&Callee);
         return At != Known.end() ? At->second.Uses
                                  : OwnConventions.lookup(&Callee).Reads;
       })) {
    HandedOn[BF] = Staying.handedOn(*BF);
    Changed.insert(BF);
  }
  if (Changed.empty())
    return;
  for (const auto &[BF, E] : Functions)
    if (any_of(E.Unread, [&](const BinaryFunction *Callee) {
          return Changed.contains(Callee);
        }))
      Stale.insert(BF);
}

RegisterSummaries::Summary
RegisterSummaries::of(const BinaryFunction &BF) const {
  auto At = Known.find(&BF);
  if (At != Known.end())
    return At->second;
  // Parts of procedures go on with whatever is there.
  if (BF.isFragment())
    return unknown();
  const OwnConvention Own = OwnConventions.lookup(&BF);
  // Thunks take the address to call in R11. Others are assembly, which may do
  // more than its bytes show.
  if (Own.Changes || Own.Reads & ~reg::R11)
    return unknown();
  Summary S = OfOthers; // It may call through pointers.
  const RegisterSet Reads = Own.Reads | HandedOn.lookup(&BF);
  S.Uses |= Reads;
  S.Reads |= Reads | reg::Parameters;
  return S;
}

void RegisterSummaries::addEntry(const MCSymbol &Entry, BinaryBasicBlock &Block,
                                 const RegisterModel &Model) {
  if (KnownEntries.contains(&Entry))
    return;
  BinaryFunction &BF = *Block.getFunction();
  Summary S = of(BF);
  // The part in front of it may have assigned to them.
  S.Overwrites = 0;
  S.Uses = Liveness(BF, Model, *this, /*KeptForCaller=*/0).into(Block);
  S.Reads = S.Uses;
  KnownEntries[&Entry] = S;
}

CallTarget graupel::targetOf(const BinaryContext &BC, const MCInst &Call) {
  const MCSymbol *Symbol = BC.MIB->getTargetSymbol(Call);
  return {findFunctionEntry(const_cast<BinaryContext &>(BC), Symbol), Symbol};
}

RegisterSummaries::Summary
RegisterSummaries::ofTarget(const CallTarget &To) const {
  if (auto At = KnownEntries.find(To.Symbol); At != KnownEntries.end())
    return At->second;
  if (To.Function && !To.IsBeginning)
    return unknown();
  return To.isElsewhere() ? OfOthers : of(*To.Function);
}
