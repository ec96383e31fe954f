//===- HotCold/CopyPropagation.cpp - Originals instead of copies ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hot code reads a register itself where it read a copy, as long as both hold
// the same. That saves nothing by itself, but then often only stubs need the
// copy, and it can go there. Parameters of calls that were inlined and those
// that are kept for the sake of cold calls are such copies.
//
//===----------------------------------------------------------------------===//

#include "HotVersion.h"
#include "bolt/Core/MCPlusBuilder.h"
#include <array>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// What each general register is a copy of.
struct Copies {
  struct Copy {
    RegisterSet From = 0; ///< None if empty.
    unsigned Bytes = 0;   ///< That are equal.
  };
  std::array<Copy, 16> Of;

  void forget(RegisterSet Written) {
    for (unsigned I = 0; I < 16; ++I)
      if ((Written & reg::bit(I)) || (Written & Of[I].From))
        Of[I] = {};
  }
};

class CopyPropagation {
public:
  explicit CopyPropagation(HotVersion &Hot)
      : Hot(Hot), Context(Hot.context()), BC(Context.BC) {}

  void run() {
    std::vector<Copies> AtEnd(Hot.blocks().size());
    std::vector<bool> Done(Hot.blocks().size());
    for (unsigned I = 0; I < Hot.blocks().size(); ++I) {
      Copies Known;
      const int From = onlyPredecessor(I);
      if (From >= 0 && Done[From])
        Known = AtEnd[From];
      for (MCInst &Inst : Hot.blocks()[I].Code)
        visit(Inst, Known);
      AtEnd[I] = Known;
      Done[I] = true;
    }
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const BinaryContext &BC;

  int onlyPredecessor(unsigned Index) const {
    int Only = -1;
    for (unsigned I = 0; I < Hot.blocks().size(); ++I)
      for (const HotVersion::Way &W : Hot.blocks()[I].Ways) {
        if (W.ToStub || W.To != Index)
          continue;
        if (Only >= 0)
          return -1;
        Only = I;
      }
    return Index ? Only : -1;
  }

  void visit(MCInst &Inst, Copies &Known) {
    if (BC.MIB->isPseudo(Inst))
      return;
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    if (!BC.MIB->isCall(Inst) && !BC.MIB->isReturn(Inst) &&
        Context.Stack.effect(Inst).What == StackEffect::Kind::None &&
        !Context.Registers.namesHighByte(Inst))
      for (unsigned I = Info.getNumDefs(), E = MCPlus::getNumPrimeOperands(Inst);
           I < E; ++I)
        replace(Inst, I, Info, Known);
    RegisterSet Written = Context.Registers.effects(Inst).Writes;
    if (BC.MIB->isCall(Inst))
      Written |= Context.Summaries.ofCall(Inst).Clobbers;
    Known.forget(Written);
    remember(Inst, Known);
  }

  void replace(MCInst &Inst, unsigned Index, const MCInstrDesc &Info,
               const Copies &Known) const {
    MCOperand &Op = Inst.getOperand(Index);
    if (!Op.isReg() || !Op.getReg() ||
        Info.getOperandConstraint(Index, MCOI::TIED_TO) != -1)
      return;
    const RegisterSet Set = Context.Registers.setOf(Op.getReg());
    // One that is read only to make a zero of it is none.
    if (!isPowerOf2_64(Set) || !(Set & reg::General) ||
        !(Context.Registers.effects(Inst).Reads & Set))
      return;
    const Copies::Copy &Copy = Known.Of[Log2_64(Set)];
    if (!Copy.From || BC.MIB->getRegSize(Op.getReg()) > Copy.Bytes)
      return;
    Context.Registers.replaceRegister(Op, Copy.From);
  }

  void remember(const MCInst &Inst, Copies &Known) const {
    const unsigned Bytes = Inst.getOpcode() == Context.Stack.move()     ? 8
                           : Inst.getOpcode() == Context.Stack.move32() ? 4
                                                                        : 0;
    if (!Bytes)
      return;
    const RegisterSet To = Context.Registers.setOf(Inst.getOperand(0).getReg());
    const RegisterSet From =
        Context.Registers.setOf(Inst.getOperand(1).getReg());
    if (To != From && !((To | From) & reg::RSP))
      Known.Of[Log2_64(To)] = {From, Bytes};
  }
};

} // namespace

void graupel::propagateCopies(HotVersion &Hot) { CopyPropagation(Hot).run(); }
