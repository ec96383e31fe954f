//===- HotCold/Proof/StayingCallers.cpp - Results read by others ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From behind each call, follow all paths with the registers that still hold
// the callee's values. One of them is a result if it is read by:
//
// 1. an instruction, before it or another overwrites it (go);
// 2. a later call: all general registers may be its parameters, the flags only
//    if the callee takes them;
// 3. the function's own callers, at its ends.
//
// If the flow of a function is not understood, anything may be read. A later
// call overwrites nothing. A block is followed again only for registers that it
// has not been followed for.
//
//===----------------------------------------------------------------------===//

#include "StayingCallers.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

StayingCallers::StayingCallers(const MachineModel &Model, RegisterSet Possible)
    : Possible(Possible) {
  for (const StayingFunction &S : stayingFunctions())
    for (const Step &Each : S.steps())
      if (const auto [At, IsNew] = Effects.try_emplace(Each.Inst); IsNew)
        At->second = Model.Registers.effects(*Each.Inst);
}

struct StayingCallers::Search {
  const StayingFunction &In;
  Answers Ask;
  RegisterSet Found = 0;
  std::vector<RegisterSet> Followed; ///< Registers, by block.
};

/// Follows \p Block from its step \p First on. Returns true if control comes to
/// its end.
bool StayingCallers::go(Search &Now, unsigned Block, unsigned First,
                        RegisterSet &Held) const {
  for (const Step &S : Now.In.stepsOf(Block).drop_front(First)) {
    if (!Held)
      break;
    const RegisterEffects &E = Effects.find(S.Inst)->second;
    Now.Found |= Held & E.Reads;
    if (S.IsReturn || S.IsTail)
      Now.Found |= Held & Now.Ask.Results(*Now.In.Function);
    if (S.IsReturn)
      return false;
    if (!S.IsCall) {
      Held &= ~E.Kills;
      continue;
    }
    Now.Found |= Held & reg::General;
    if (S.To)
      Now.Found |= Held & Now.Ask.TakenFlags(*S.To);
  }
  return true;
}

RegisterSet StayingCallers::readBehind(const StayingFunction &S, unsigned Block,
                                       unsigned First, Answers Ask) const {
  Search Now{S, Ask, 0, std::vector<RegisterSet>(S.numBlocks())};
  SmallVector<std::pair<unsigned, RegisterSet>> Open;
  auto leave = [&](unsigned From, unsigned At, RegisterSet Held) {
    if (go(Now, From, At, Held) && Held)
      for (unsigned To : S.next(From))
        Open.push_back({To, Held});
  };
  leave(Block, First, Possible);
  while (!Open.empty()) {
    auto [At, Held] = Open.pop_back_val();
    // Nothing new is found of what was found.
    Held &= ~(Now.Followed[At] | Now.Found);
    Now.Followed[At] |= Held;
    if (Held)
      leave(At, 0, Held);
  }
  return Now.Found;
}

void StayingCallers::forEachCall(
    const StayingFunction &S, Answers Ask,
    function_ref<void(BinaryFunction &, RegisterSet)> Do) const {
  for (unsigned I = 0; I < S.numBlocks(); ++I)
    for (const auto &[At, Each] : enumerate(S.stepsOf(I))) {
      if (!Each.To)
        continue;
      if (!S.IsUnderstood)
        Do(*Each.To, Possible);
      else if (Each.IsTail)
        Do(*Each.To, Ask.Results(*S.Function) & Possible);
      else if (Each.IsCall)
        Do(*Each.To, readBehind(S, I, At + 1, Ask));
    }
}

RegisterSet
StayingCallers::handedOn(const StayingFunction &S,
                         function_ref<RegisterSet(Function &)> Taken) const {
  auto isInImage = [](const Step &Each) {
    return Each.To && !Each.To->isPLTFunction();
  };
  RegisterSet Anywhere = 0;
  for (const Step &Each : S.steps())
    Anywhere |= isInImage(Each) ? Taken(*Each.To) : 0;
  // Nearly all functions take nothing but parameters.
  if (!Anywhere || !S.IsUnderstood)
    return Anywhere;
  std::vector<RegisterSet> Wanted(S.numBlocks());
  bool Again = true;
  while (Again) {
    Again = false;
    for (unsigned I = S.numBlocks(); I--;) {
      RegisterSet Now = 0;
      for (unsigned To : S.next(I))
        Now |= Wanted[To];
      for (const Step &Each : llvm::reverse(S.stepsOf(I))) {
        if (!Each.IsCall)
          Now &= ~Effects.find(Each.Inst)->second.Kills;
        else if (!isInImage(Each) && !Each.IsTail)
          Now &= reg::CalleeSaved;
        Now |= isInImage(Each) ? Taken(*Each.To) : 0;
      }
      Again |= Now != Wanted[I];
      Wanted[I] = Now;
    }
  }
  return Wanted.front();
}
