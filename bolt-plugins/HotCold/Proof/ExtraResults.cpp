//===- HotCold/Proof/ExtraResults.cpp -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtraResults.h"
#include "HotCold/Machine/Parts.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

namespace {

/// In these, Swift returns more words than the ABI's two.
constexpr RegisterSet SwiftWords = reg::RCX | reg::R8;

/// Goes back from the ends of a function, for one register.
class BackFromEnds {
public:
  BackFromEnds(const BinaryFunction &BF, const MachineModel &Model,
               LeftByCall OfCall, RegisterSet Register)
      : BF(BF), MIB(*BF.getBinaryContext().MIB), Registers(Model.Registers),
        OfCall(OfCall), Register(Register) {}

  /// Adds to \p Sum.
  void addTo(LeftAtEnds &Sum) {
    for (const BinaryBasicBlock &Block : BF)
      for (auto It = Block.begin(); It != Block.end(); ++It) {
        if (MIB.isTailCall(*It)) {
          addCall(*It);
          if (!partOfSame(BF, *It))
            continue;
          // The part goes on with what was made, of which it may know nothing.
          const bool WasUsed = IsUsed;
          goBack(Block, It);
          IsUsed = WasUsed;
        } else if (MIB.isReturn(*It)) {
          goBack(Block, It);
        }
      }
    Sum.Made |= IsMade ? Register : 0;
    Sum.Used |= IsUsed ? Register : 0;
  }

private:
  using Place = BinaryBasicBlock::const_iterator;
  const BinaryFunction &BF;
  const MCPlusBuilder &MIB;
  const RegisterModel &Registers;
  const LeftByCall OfCall;
  const RegisterSet Register;
  bool IsMade = false, IsUsed = false;

  void addCall(const MCInst &Call) {
    const LeftAtEnds Left = OfCall(Call).value_or(LeftAtEnds());
    IsMade |= (Left.Made & Register) != 0;
    IsUsed |= (Left.Used & Register) != 0;
  }

  /// True if nothing between the beginning of \p Block and \p End tells.
  bool isSilent(const BinaryBasicBlock &Block, Place End) {
    while (End != Block.begin()) {
      const MCInst &Inst = *--End;
      if (Registers.isPseudo(Inst) || MIB.isTailCall(Inst))
        continue;
      if (Registers.isCall(Inst)) {
        addCall(Inst);
        return false;
      }
      const RegisterEffects E = Registers.effects(Inst);
      if (E.Writes & Register) {
        IsMade = true;
        return false;
      }
      // Words are often computed from one another.
      if (E.Reads & Register & ~SwiftWords) {
        IsUsed = true;
        return false;
      }
    }
    return true;
  }

  void goBack(const BinaryBasicBlock &Last, Place At) {
    SmallPtrSet<const BinaryBasicBlock *, 16> Seen;
    SmallVector<std::pair<const BinaryBasicBlock *, Place>> Open{{&Last, At}};
    while (!Open.empty()) {
      const auto [Block, End] = Open.pop_back_val();
      if (!isSilent(*Block, End))
        continue;
      // What came as a parameter may be meant to go back.
      IsUsed |=
          !(Register & reg::Parameters) &&
          (Block->isLandingPad() || (Block == &BF.front() && !BF.isFragment()));
      for (const BinaryBasicBlock *Before : Block->predecessors())
        if (Seen.insert(Before).second)
          Open.push_back({Before, Before->end()});
    }
  }
};

} // namespace

LeftAtEnds graupel::symbolic::leftAtEnds(const BinaryFunction &BF,
                                         const MachineModel &Model,
                                         LeftByCall OfCall) {
  LeftAtEnds Sum;
  for (RegisterSet Register :
       {reg::RCX, reg::RSI, reg::RDI, reg::R8, reg::R9, reg::R10, reg::R11})
    BackFromEnds(BF, Model, OfCall, Register).addTo(Sum);
  return Sum;
}
