//===- HotCold/Proof/FaultInjection.cpp - Broken drafts -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breaks proved drafts to see that the verifier notices: one that never finds
// anything would be hard to tell from one that has nothing to find.
//
// 1. Injection::run() goes through the code, the unwind state and the edges of
//    each hot block, then through the code and the unwind state of each stub.
// 2. Each place is broken by the kind of fault that was asked for, if that is
//    possible there: breakInstruction(), breakState() or breakEdges().
// 3. judge() has the broken draft verified. It counts the fault and prints it
//    if it was not found.
// 4. The place is mended before the next one is broken. At the end the numbers
//    of found and tried faults are printed.
//
//===----------------------------------------------------------------------===//

#include "FaultInjection.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class Injection {
public:
  Injection(HotCode &Hot, const MachineModel &Model, Verifier &V, Fault Kind,
            raw_ostream &OS)
      : Hot(Hot), Context(Model), MIB(*Context.BC.MIB), V(V), Kind(Kind),
        OS(OS) {}

  void run() {
    for (HotCode::Block &B : Hot.blocks()) {
      Place = ("hot " + B.Original->getName()).str();
      breakCode(B.Code);
      breakState(B.CFIState);
      breakEdges(B.Ways);
    }
    for (HotCode::Stub &S : Hot.stubs()) {
      Place = ("stub to " + S.Target->getName()).str();
      breakCode(S.Replay);
      breakCode(S.Code);
      breakState(S.CFIState);
    }
    OS << Hot.function().getPrintName() << ": found " << Found << " of "
       << Tried << " faults\n";
  }

private:
  HotCode &Hot;
  const MachineModel &Context;
  const MCPlusBuilder &MIB;
  Verifier &V;
  const Fault Kind;
  raw_ostream &OS;
  unsigned Tried = 0, Found = 0;
  std::string Place;

  void judge(const Twine &Description) {
    ++Tried;
    if (!V.check(Hot).empty())
      ++Found;
    else
      OS << "  not found: " << Place << ": " << Description << '\n';
  }

  void judge(const MCInst &Inst) {
    std::string Text;
    raw_string_ostream OS(Text);
    Context.BC.InstPrinter->printInst(&Inst, 0, "", *Context.BC.STI, OS);
    std::replace(Text.begin(), Text.end(), '\t', ' ');
    judge(StringRef(Text).trim());
  }

  void breakCode(std::vector<MCInst> &Code) {
    for (unsigned I = 0; I < Code.size(); ++I) {
      const std::vector<MCInst> Right = Code;
      if (!breakInstruction(Code, I))
        continue;
      judge(Right[I]);
      Code = Right;
    }
  }

  /// Returns false if it cannot be broken so.
  bool breakInstruction(std::vector<MCInst> &Code, unsigned I) const {
    const bool IsPseudo = MIB.isPseudo(Code[I]);
    switch (Kind) {
    case Fault::Drop:
    case Fault::Unwind:
      if (IsPseudo != (Kind == Fault::Unwind))
        return false;
      Code.erase(Code.begin() + I);
      return true;
    case Fault::Swap:
      if (IsPseudo || I + 1 == Code.size())
        return false;
      std::swap(Code[I], Code[I + 1]);
      return true;
    case Fault::Register:
      return !IsPseudo && breakRegister(Code[I]);
    case Fault::Constant:
      return !IsPseudo && breakConstant(Code[I]);
    default:
      return false;
    }
  }

  bool breakRegister(MCInst &Inst) const {
    const RegisterModel &Registers = Context.Registers;
    for (unsigned I = 0; I < MCPlus::getNumPrimeOperands(Inst); ++I) {
      MCOperand &Op = Inst.getOperand(I);
      if (!Op.isReg() || !Op.getReg())
        continue;
      const RegisterSet Set = Registers.setOf(Op.getReg());
      if (!(Set & reg::General) || Set == reg::RSP ||
          Op.getReg() != Registers.generalRegister(Set))
        continue;
      Op.setReg(
          Registers.generalRegister(Set == reg::R11 ? reg::R10 : reg::R11));
      return true;
    }
    return false;
  }

  bool breakConstant(MCInst &Inst) const {
    if (MIB.isBranch(Inst) || MIB.isCall(Inst))
      return false;
    // The last but one is the scale of an address; the displacement follows it.
    for (unsigned I = MCPlus::getNumPrimeOperands(Inst); I--;) {
      MCOperand &Op = Inst.getOperand(I);
      if (!Op.isImm())
        continue;
      Op.setImm(Op.getImm() + 8);
      return true;
    }
    return false;
  }

  void breakState(int32_t &State) {
    if (Kind != Fault::State)
      return;
    for (int32_t Change : {-1, 1}) {
      if (State + Change < 0 ||
          State + Change >
              static_cast<int32_t>(Hot.function().getFDEProgram().size()))
        continue;
      State += Change;
      judge("state " + Twine(State) + " instead of " + Twine(State - Change));
      State -= Change;
    }
  }

  void breakEdges(std::vector<HotCode::Way> &Ways) {
    if (Kind != Fault::Edge || Ways.size() < 2)
      return;
    std::swap(Ways[0], Ways[1]);
    judge("ways");
    std::swap(Ways[0], Ways[1]);
  }
};

} // namespace

void graupel::injectFaults(HotCode &Hot, const MachineModel &Model, Verifier &V,
                           Fault Kind, raw_ostream &OS) {
  Injection(Hot, Model, V, Kind, OS).run();
}
