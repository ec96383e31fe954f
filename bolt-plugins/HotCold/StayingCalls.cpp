//===- HotCold/StayingCalls.cpp - Results that staying code reads ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. If the flow of a function is not understood, it may read any register
//    behind all functions that it calls or jumps to.
// 2. In the others, solve liveness backwards over the blocks. The registers
//    that its own callers read are live behind its ends (Results). A call keeps
//    live registers live, since the callee may preserve them; it reads all
//    general registers, and flags only if the callee does.
// 3. Follow registers that are no parameters forwards from the beginning, until
//    they are overwritten: those that are left at a call, and that the callee
//    reads, are handed on. Calls in the image preserve them.
//
//===----------------------------------------------------------------------===//

#include "StayingCalls.h"
#include "UnreadCode.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

StayingCalls::StayingCalls(const RegisterModel &Model) : Model(Model) {
  for (const StayingFunction &S : stayingFunctions()) {
    Results[S.Function] = 0;
    addFlow(S);
    findCalls(Flows.back());
    if (S.IsUnderstood)
      continue;
    for (const Step &Each : S.steps())
      if (Each.To)
        Untold.insert(Each.To);
  }
}

void StayingCalls::addFlow(const StayingFunction &S) {
  Flow &F = Flows.emplace_back(Flow{&S, {}, {}});
  F.Ends.reserve(S.numBlocks());
  for (unsigned I = 0; I < S.numBlocks(); ++I) {
    F.Runs.emplace_back();
    for (const Step &Each : S.stepsOf(I)) {
      const RegisterEffects E = Model.effects(*Each.Inst);
      Run &Now = F.Runs.back();
      if (Each.IsCall || Each.IsReturn || Each.To) {
        Now.Last = &Each;
        Now.LastReads = E.Reads;
        F.Runs.emplace_back();
        continue;
      }
      Now.Reads |= E.Reads & ~Now.Kills;
      Now.Kills |= E.Kills;
    }
    F.Ends.push_back(F.Runs.size());
  }
  F.Runs.shrink_to_fit();
}

/// The subset of \p Left that is left behind \p Block. Adds its calls to
/// \p Found.
RegisterSet StayingCalls::leftBehind(const Flow &F, unsigned Block,
                                     RegisterSet Left,
                                     std::vector<Call> *Found) const {
  for (const Run &Each : F.runsOf(Block)) {
    Left &= ~Each.Kills;
    if (!Each.Last)
      break;
    const bool InImage = Each.Last->To && !Each.Last->To->isPLTFunction();
    if (Found && InImage && Left)
      Found->push_back({F.Owner->Function, Each.Last->To, Left});
    if (Each.Last->IsCall && !InImage && !Each.Last->IsTail)
      Left &= reg::CalleeSaved;
  }
  return Left;
}

/// Finds the caller's registers that \p F leaves to its callees.
void StayingCalls::findCalls(const Flow &F) {
  const bool IsUnderstood = F.Owner->IsUnderstood;
  std::vector<RegisterSet> Into(F.Ends.size(), IsUnderstood ? 0 : NoParameters);
  std::vector<unsigned> Work;
  if (IsUnderstood && !Into.empty()) {
    Into[0] = NoParameters;
    Work.push_back(0);
  }
  while (!Work.empty()) {
    const unsigned I = Work.back();
    Work.pop_back();
    const RegisterSet Left = leftBehind(F, I, Into[I], nullptr);
    for (unsigned To : F.Owner->next(I))
      if (Left & ~Into[To]) {
        Into[To] |= Left;
        Work.push_back(To);
      }
  }
  for (unsigned I = 0; I < F.Ends.size(); ++I)
    leftBehind(F, I, Into[I], &Calls);
}

std::vector<StayingCalls::Function *>
StayingCalls::findHandedOn(function_ref<RegisterSet(Function &)> Uses) {
  std::vector<Function *> Changed;
  for (bool Again = true; Again;) {
    Again = false;
    for (const Call &Each : Calls) {
      RegisterSet &Its = Handed[Each.From];
      const RegisterSet New =
          Each.Left & (Uses(*Each.To) | Handed.lookup(Each.To)) & ~Its;
      if (!New)
        continue;
      Its |= New;
      Again = true;
      Changed.push_back(Each.From);
    }
  }
  return Changed;
}

bool StayingCalls::addResults(Function &BF, RegisterSet Set) {
  const auto At = Results.find(&BF);
  if (At == Results.end())
    return false;
  At->second |= Set & PossibleResults;
  return true;
}

void StayingCalls::addResultsToAll(RegisterSet Set) {
  for (RegisterSet &Its : make_second_range(Results))
    Its |= Set;
}

RegisterSet StayingCalls::readBehindPointers() const {
  RegisterSet Read = 0;
  for (const StayingFunction &S : stayingFunctions())
    for (unsigned I = 0; I < S.numBlocks(); ++I) {
      RegisterSet Open = 0;
      for (const Step &Each : S.stepsOf(I)) {
        const RegisterEffects E = Model.effects(*Each.Inst);
        Read |= Open & E.Reads & ~(E.Writes & ~E.Kills);
        Open &= ~E.Writes;
        if (Each.IsCall)
          Open = Each.To ? 0 : PossibleResults;
      }
    }
  return Read;
}

RegisterSet StayingCalls::passedOn() const {
  RegisterSet Found = 0;
  for (const StayingFunction &S : stayingFunctions())
    if (any_of(S.steps(),
               [](const Step &Each) { return Each.IsCall && !Each.To; }))
      Found |= Results.lookup(S.Function);
  return Found & PossibleResults;
}

/// The registers live before \p Block if \p Live are live behind it.
RegisterSet
StayingCalls::liveBefore(const Flow &F, unsigned Block, RegisterSet Live,
                         function_ref<RegisterSet(Function &)> TakesFlags,
                         Visitor Do) const {
  const RegisterSet AtEnd = Results.lookup(F.Owner->Function);
  for (const Run &Each : reverse(F.runsOf(Block))) {
    if (const Step *Last = Each.Last) {
      if (Last->IsReturn)
        Live = AtEnd;
      if (Last->To)
        Do(*Last->To, Last->IsTail ? AtEnd : Live & PossibleResults);
      if (Last->IsCall)
        Live |= (Last->IsTail ? AtEnd : 0) | reg::General;
      Live |= Each.LastReads;
      if (Last->To)
        Live |= TakesFlags(*Last->To);
    }
    Live = (Live & ~Each.Kills) | Each.Reads;
  }
  return Live & PossibleResults;
}

void StayingCalls::visitCallsOf(
    const Flow &F, function_ref<RegisterSet(Function &)> TakesFlags,
    Visitor Do) const {
  std::vector<RegisterSet> Into(F.Ends.size());
  auto behind = [&](unsigned Block) {
    RegisterSet Live = 0;
    for (unsigned To : F.Owner->next(Block))
      Live |= Into[To];
    return Live;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = F.Ends.size(); I--;) {
      const RegisterSet New = liveBefore(F, I, behind(I), TakesFlags,
                                         [](Function &, RegisterSet) {});
      Changed |= New != Into[I];
      Into[I] = New;
    }
  }
  for (unsigned I = 0; I < F.Ends.size(); ++I)
    liveBefore(F, I, behind(I), TakesFlags, Do);
}

void StayingCalls::visitCalls(function_ref<RegisterSet(Function &)> TakesFlags,
                              Visitor Do) {
  bool Changed = true;
  auto note = [&](Function &To, RegisterSet Behind) {
    const RegisterSet Before = Results.lookup(&To);
    if (addResults(To, Behind))
      Changed |= Results.lookup(&To) != Before;
    else
      Do(To, Behind);
  };
  while (Changed) {
    Changed = false;
    for (const Flow &F : Flows)
      if (F.Owner->IsUnderstood)
        visitCallsOf(F, TakesFlags, note);
  }
}
