//===- HotCold/StayingCalls.cpp - Results that staying code reads ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Of a function whose flow is not understood, all that it calls or jumps to
//    has a caller that may read anything.
// 2. In the others, solve liveness backwards over the blocks. Behind its ends
//    what its own callers read is live (Results). A call leaves what is live
//    as it is, since the callee may do so; it reads all general registers, and
//    flags only if the callee does.
//
//===----------------------------------------------------------------------===//

#include "StayingCalls.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

StayingCalls::StayingCalls(BinaryContext &BC, const RegisterModel &Model)
    : BC(BC), Model(Model) {
  for (const StayingFunction &S : stayingFunctions()) {
    Results[S.Function] = 0;
    if (S.IsUnderstood)
      continue;
    for (const StayingFunction::Block &Block : S.Blocks)
      for (const Step &Each : Block.Steps)
        if (Each.To)
          Untold.insert(Each.To);
  }
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
    for (const StayingFunction::Block &Block : S.Blocks) {
      RegisterSet Open = 0;
      for (const Step &Each : Block.Steps) {
        const RegisterEffects E = Model.effects(Each.Inst);
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
    if (any_of(S.Blocks, [&](const StayingFunction::Block &Block) {
          return any_of(Block.Steps, [&](const Step &Each) {
            return Each.IsCall && !Each.To;
          });
        }))
      Found |= Results.lookup(S.Function);
  return Found & PossibleResults;
}

/// What is live before \p Block if \p Live is behind it.
RegisterSet
StayingCalls::liveBefore(const StayingFunction &In,
                         const StayingFunction::Block &Block, RegisterSet Live,
                         function_ref<RegisterSet(Function &)> TakesFlags,
                         Visitor Do) const {
  const RegisterSet AtEnd = Results.lookup(In.Function);
  for (const Step &Each : reverse(Block.Steps)) {
    const RegisterEffects E = Model.effects(Each.Inst);
    if (Each.IsReturn)
      Live = AtEnd;
    if (!Each.IsCall) {
      Live = (Live & ~E.Kills) | E.Reads;
      continue;
    }
    if (Each.To)
      Do(*Each.To, Each.IsTail ? AtEnd : Live & PossibleResults);
    Live |= (Each.IsTail ? AtEnd : 0) | E.Reads | reg::General;
    if (Each.To)
      Live |= TakesFlags(*Each.To);
  }
  return Live & PossibleResults;
}

void StayingCalls::visitCallsOf(
    const StayingFunction &S, function_ref<RegisterSet(Function &)> TakesFlags,
    Visitor Do) const {
  std::vector<RegisterSet> Into(S.Blocks.size());
  auto behind = [&](const StayingFunction::Block &Block) {
    RegisterSet Live = 0;
    for (unsigned To : Block.Next)
      Live |= Into[To];
    return Live;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = S.Blocks.size(); I--;) {
      const RegisterSet New =
          liveBefore(S, S.Blocks[I], behind(S.Blocks[I]), TakesFlags,
                     [](Function &, RegisterSet) {});
      Changed |= New != Into[I];
      Into[I] = New;
    }
  }
  for (const StayingFunction::Block &Block : S.Blocks)
    liveBefore(S, Block, behind(Block), TakesFlags, Do);
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
    for (const StayingFunction &S : stayingFunctions())
      if (S.IsUnderstood)
        visitCallsOf(S, TakesFlags, note);
  }
}
