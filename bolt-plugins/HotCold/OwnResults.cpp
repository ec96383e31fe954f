//===- HotCold/OwnResults.cpp ---------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnResults.h"
#include "HotCold/Machine/Parts.h"
#include "StayingCalls.h"
#include "UnreadCode.h"
#include "bolt/Core/MCPlusBuilder.h"
#include <optional>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Swift's third and fourth word. One is often computed from the other.
static constexpr RegisterSet ReadAndReturned = reg::RCX | reg::R8;

bool OwnResults::Ways::join(const Ways &Other) {
  const bool IsMore = (Other.Made & ~Made) || (Other.Spent & ~Spent);
  Made |= Other.Made;
  Spent |= Other.Spent;
  return IsMore;
}

/// A callee's results may be this function's results, too. Nothing is known
/// about unknown code or a function that is being looked at.
OwnResults::Ways OwnResults::behindCall(const MCInst &Call) const {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
  return Target ? Known.lookup(BC.getFunctionForSymbol(Target)) : Ways();
}

/// Goes on from \p Now through \p Block, and adds to \p AtEnds at ends of the
/// function. False if control does not get behind it.
bool OwnResults::walk(const BinaryBasicBlock &Block, Ways &Now, Ways &AtEnds) {
  for (const MCInst &Inst : Block) {
    if (Model.isPseudo(Inst))
      continue;
    const RegisterEffects E = Model.effects(Inst);
    const RegisterSet Spent = E.Reads & ~ReadAndReturned;
    Now.Spent = (Now.Spent | Spent) & ~E.Writes;
    Now.Made = (Now.Made & ~Spent) | E.Writes;
    if (Model.isReturn(Inst)) {
      AtEnds.join(Now);
    } else if (Model.isTailCall(Inst)) {
      Ways There = behindCall(Inst);
      // A part goes on with the registers as they are.
      if (partOfSame(*Block.getFunction(), Inst))
        There.Made |= Now.Made;
      AtEnds.join(There);
    } else if (Model.isCall(Inst)) {
      if (!Returns(Inst))
        return false;
      Now = behindCall(Inst);
    }
  }
  return true;
}

bool OwnResults::look(const BinaryFunction &BF) {
  // A parameter may be handed back.
  const Ways OfCaller{0, ~reg::Parameters};
  std::vector<std::optional<Ways>> Before(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist;
  auto reach = [&](const BinaryBasicBlock &To, const Ways &With) {
    std::optional<Ways> &There = Before[To.getIndex()];
    const bool IsNew = !There;
    if (IsNew)
      There.emplace();
    if (There->join(With) || IsNew)
      Worklist.push_back(&To);
  };
  for (const BinaryBasicBlock &Block : BF)
    if (Block.isLandingPad() || (&Block == &BF.front() && !BF.isFragment()))
      reach(Block, OfCaller);
    else if (Block.isEntryPoint())
      reach(Block, {});
  Ways AtEnds;
  while (!Worklist.empty()) {
    const BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    Ways Now = *Before[Block.getIndex()];
    if (walk(Block, Now, AtEnds))
      for (const BinaryBasicBlock *To : Block.successors())
        reach(*To, Now);
  }
  return Known[&BF].join(AtEnds);
}

RegisterSet OwnResults::of(const BinaryFunction &BF) const {
  const Ways Its = Known.lookup(&BF);
  return Its.Made & ~Its.Spent & PossibleResults & reg::General;
}
