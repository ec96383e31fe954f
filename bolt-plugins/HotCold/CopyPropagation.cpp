//===- HotCold/CopyPropagation.cpp - Originals instead of copies ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hot code reads a register itself where it read a copy, as long as both hold
// the same, and goes from the stack pointer where it went through an address in
// the frame. That saves nothing by itself, but then often only stubs need the
// copy or the address, and it can go there. Parameters of calls that were
// inlined and those that are kept for the sake of cold calls are such copies.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "RegisterFacts.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class CopyPropagation {
public:
  explicit CopyPropagation(HotVersion &Hot)
      : Hot(Hot), Context(Hot.context()), BC(Context.BC) {}

  void run() {
    std::vector<std::optional<RegisterFacts>> Into = findRegisterFacts(Hot);
    for (unsigned I = 0; I < Hot.blocks().size(); ++I) {
      if (!Into[I])
        continue;
      RegisterFacts &Facts = *Into[I];
      for (MCInst &Inst : Hot.blocks()[I].Code) {
        const MCInst Before = Inst;
        rewrite(Inst, Facts);
        Facts.step(Context, Before);
      }
    }
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const BinaryContext &BC;

  void rewrite(MCInst &Inst, const RegisterFacts &Facts) const {
    if (BC.MIB->isPseudo(Inst) || BC.MIB->isCall(Inst) ||
        BC.MIB->isReturn(Inst) ||
        Context.Stack.effect(Inst).Operation != StackEffect::Kind::None)
      return;
    foldAddress(Inst, Facts);
    computeAddress(Inst, Facts);
    if (Context.Registers.namesHighByte(Inst))
      return;
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    for (unsigned I = Info.getNumDefs(), E = MCPlus::getNumPrimeOperands(Inst);
         I < E; ++I)
      replace(Inst, I, Info, Facts);
  }

  /// Where the address that \p Register holds is from the stack pointer.
  std::optional<int64_t> distanceOf(MCPhysReg Register,
                                    const RegisterFacts &Facts) const {
    const RegisterSet Set = Context.Registers.setOf(Register);
    // Frame pointers make shorter instructions.
    if (!(Set & reg::General & ~(reg::RSP | reg::RBP)) ||
        BC.MIB->getRegSize(Register) != 8)
      return std::nullopt;
    const std::optional<int64_t> Address = Facts.of(Set).StackAddress;
    return Address ? Facts.fromStackPointer(*Address) : std::nullopt;
  }

  void foldAddress(MCInst &Inst, const RegisterFacts &Facts) const {
    const int First = BC.MIB->getMemoryOperandNo(Inst);
    if (First < 0)
      return;
    const auto Memory = BC.MIB->evaluateX86MemoryOperand(Inst);
    if (!Memory || Memory->DispExpr || Memory->SegRegNum ||
        Memory->IndexRegNum || !Memory->BaseRegNum)
      return;
    const auto Distance = distanceOf(Memory->BaseRegNum, Facts);
    if (!Distance || !isInt<32>(*Distance + Memory->DispImm))
      return;
    Inst.getOperand(First).setReg(Context.Registers.generalRegister(reg::RSP));
    BC.MIB->replaceMemOperandDisp(
        Inst, MCOperand::createImm(*Distance + Memory->DispImm));
  }

  /// A copy of an address is an address.
  void computeAddress(MCInst &Inst, const RegisterFacts &Facts) const {
    if (Inst.getOpcode() != Context.Stack.move())
      return;
    const auto Distance = distanceOf(Inst.getOperand(1).getReg(), Facts);
    if (!Distance || !isInt<32>(*Distance))
      return;
    Inst = loadStackAddress(Context, Inst.getOperand(0).getReg(), *Distance);
  }

  void replace(MCInst &Inst, unsigned Index, const MCInstrDesc &Info,
               const RegisterFacts &Facts) const {
    MCOperand &Op = Inst.getOperand(Index);
    if (!Op.isReg() || !Op.getReg() ||
        Info.getOperandConstraint(Index, MCOI::TIED_TO) != -1)
      return;
    const RegisterSet Set = Context.Registers.setOf(Op.getReg());
    // One that is read only to make a zero of it is none.
    if (!isPowerOf2_64(Set) || !(Set & reg::General) ||
        !(Context.Registers.effects(Inst).Reads & Set))
      return;
    const RegisterFacts::Fact &Known = Facts.of(Set);
    if (Known.CopyOf && BC.MIB->getRegSize(Op.getReg()) <= Known.Bytes)
      Context.Registers.replaceRegister(Op, Known.CopyOf);
  }
};

} // namespace

void graupel::propagateCopies(HotVersion &Hot) { CopyPropagation(Hot).run(); }
