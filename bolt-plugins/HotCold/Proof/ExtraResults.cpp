//===- HotCold/Proof/ExtraResults.cpp -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtraResults.h"
#include "HotCold/Machine/Parts.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

namespace {

/// In these, Swift returns more words than the ABI's two.
constexpr RegisterSet SwiftWords = reg::RCX | reg::R8;
constexpr RegisterSet Asked =
    reg::RCX | reg::RSI | reg::RDI | reg::R8 | reg::R9 | reg::R10 | reg::R11;

/// Goes back from ends of a function, with all registers at once: at each place
/// with those that no instruction behind it has decided.
class BackFromEnds {
public:
  BackFromEnds(const BinaryFunction &BF, const RegisterModel &Model,
               LeftByCall OfCall)
      : BF(BF), Model(Model), OfCall(OfCall), Seen(BF.size()) {}

  using Place = BinaryBasicBlock::const_iterator;

  void goBack(const BinaryBasicBlock &Last, Place At) {
    goOn(Last, before(Last, At, Asked));
    while (!Open.empty()) {
      const auto [Block, Registers] = Open.pop_back_val();
      goOn(*Block, before(*Block, Block->end(), Registers));
    }
  }

  void addCall(const MCInst &Call, RegisterSet Registers = Asked) {
    const LeftAtEnds Left = OfCall(Call).value_or(LeftAtEnds());
    Found.Made |= Left.Made & Registers;
    Found.Used |= Left.Used & Registers;
  }

  LeftAtEnds Found;

private:
  const BinaryFunction &BF;
  const RegisterModel &Model;
  const LeftByCall OfCall;
  std::vector<RegisterSet> Seen; ///< Registers that a block was opened for.
  SmallVector<std::pair<const BinaryBasicBlock *, RegisterSet>> Open;

  /// The \p Registers that no instruction between the beginning of \p Block and
  /// \p End decides.
  RegisterSet before(const BinaryBasicBlock &Block, Place End,
                     RegisterSet Registers) {
    while (Registers && End != Block.begin()) {
      const MCInst &Inst = *--End;
      if (Model.isPseudo(Inst) || Model.isTailCall(Inst))
        continue;
      if (Model.isCall(Inst)) {
        addCall(Inst, Registers);
        return 0;
      }
      const RegisterEffects E = Model.effects(Inst);
      Found.Made |= E.Writes & Registers;
      Registers &= ~E.Writes;
      // Words are often computed from one another.
      Found.Used |= E.Reads & Registers & ~SwiftWords;
      Registers &= ~(E.Reads & ~SwiftWords);
    }
    return Registers;
  }

  void goOn(const BinaryBasicBlock &Block, RegisterSet Registers) {
    if (!Registers)
      return;
    // A parameter may be meant to be returned.
    if (Block.isLandingPad() || (&Block == &BF.front() && !BF.isFragment()))
      Found.Used |= Registers & ~reg::Parameters;
    for (const BinaryBasicBlock *Before : Block.predecessors()) {
      RegisterSet &There = Seen[Before->getIndex()];
      if (const RegisterSet New = Registers & ~There) {
        There |= New;
        Open.push_back({Before, New});
      }
    }
  }
};

} // namespace

LeftAtEnds graupel::symbolic::leftAtEnds(const BinaryFunction &BF,
                                         const MachineModel &Model,
                                         LeftByCall OfCall) {
  const RegisterModel &Registers = Model.Registers;
  BackFromEnds Own(BF, Registers, OfCall);
  // A part goes on with values made before, which it may know nothing about.
  BackFromEnds InFrontOfParts(BF, Registers, OfCall);
  for (const BinaryBasicBlock &Block : BF)
    for (auto It = Block.begin(); It != Block.end(); ++It) {
      if (Registers.isTailCall(*It)) {
        Own.addCall(*It);
        if (partOfSame(BF, *It))
          InFrontOfParts.goBack(Block, It);
      } else if (Registers.isReturn(*It)) {
        Own.goBack(Block, It);
      }
    }
  return {Own.Found.Made | InFrontOfParts.Found.Made, Own.Found.Used};
}
