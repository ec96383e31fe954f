//===- HotCold/Proof/ExtraResults.cpp -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtraResults.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

namespace {

enum class LastTouch { Unknown, Made, Used };

/// What \p Block does last to \p Register before \p End.
LastTouch lastTouch(const BinaryBasicBlock &Block,
                    BinaryBasicBlock::const_iterator End, RegisterSet Register,
                    const MachineModel &Model,
                    function_ref<RegisterSet(const MCInst &)> OfCallee) {
  for (auto It = End; It != Block.begin();) {
    const MCInst &Inst = *--It;
    if (Model.Registers.isPseudo(Inst))
      continue;
    if (Model.Registers.isCall(Inst))
      return OfCallee(Inst) & Register ? LastTouch::Made : LastTouch::Used;
    const RegisterEffects E = Model.Registers.effects(Inst);
    if (E.Writes & Register)
      return LastTouch::Made;
    if (E.Reads & Register)
      return LastTouch::Used;
  }
  return LastTouch::Unknown;
}

/// From the end \p At of \p Last back on all paths: true if \p Register was
/// made, and not used since.
bool isMade(const BinaryBasicBlock &Last, BinaryBasicBlock::const_iterator At,
            RegisterSet Register, const MachineModel &Model,
            function_ref<RegisterSet(const MCInst &)> OfCallee) {
  SmallPtrSet<const BinaryBasicBlock *, 16> Seen;
  SmallVector<
      std::pair<const BinaryBasicBlock *, BinaryBasicBlock::const_iterator>>
      Open{{&Last, At}};
  while (!Open.empty()) {
    const auto [Block, End] = Open.pop_back_val();
    const LastTouch Touch = lastTouch(*Block, End, Register, Model, OfCallee);
    if (Touch == LastTouch::Made)
      continue;
    if (Touch == LastTouch::Used || Block->isEntryPoint() ||
        Block->isLandingPad() || Block->pred_empty())
      return false;
    for (const BinaryBasicBlock *Before : Block->predecessors())
      if (Seen.insert(Before).second)
        Open.push_back({Before, Before->end()});
  }
  return true;
}

} // namespace

RegisterSet graupel::symbolic::extraResults(
    const BinaryFunction &BF, const MachineModel &Model,
    function_ref<RegisterSet(const MCInst &)> OfCallee) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  RegisterSet Found = 0;
  for (RegisterSet Register :
       {reg::RCX, reg::RSI, reg::RDI, reg::R8, reg::R9, reg::R10, reg::R11}) {
    bool Ends = false, IsMade = true;
    for (const BinaryBasicBlock &Block : BF)
      for (auto It = Block.begin(); IsMade && It != Block.end(); ++It) {
        if (!MIB.isReturn(*It) && !MIB.isTailCall(*It))
          continue;
        Ends = true;
        IsMade = MIB.isTailCall(*It)
                     ? OfCallee(*It) & Register
                     : isMade(Block, It, Register, Model, OfCallee);
      }
    if (Ends && IsMade)
      Found |= Register;
  }
  return Found;
}
