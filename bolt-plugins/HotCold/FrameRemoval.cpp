//===- HotCold/FrameRemoval.cpp - Hot versions without a frame ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hot version that calls nobody needs no frame: what it keeps in registers
// that its caller owns moves to free ones, and its variables on the stack stay
// where they are, in the red zone. Stubs build the frame that the original
// expects: the saves first, while the caller's values are still in the
// registers, then copies into the registers that had been renamed, then what
// was sunk.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using Kind = StackEffect::Kind;

namespace {

constexpr int64_t RedZone = 128;

class FrameRemoval {
public:
  FrameRemoval(HotVersion &Hot, HotColdGain &Gain)
      : Hot(Hot), Context(Hot.context()), BC(Context.BC), MIB(*BC.MIB),
        Gain(Gain) {}

  const char *run() {
    if (!Hot.isLeaf())
      return "calls";
    if (const char *Reason = F.read(Hot))
      return Reason;
    if (const char *Reason = checkVariables())
      return Reason;
    if (const char *Reason = rename())
      return Reason;
    removeFromBlocks();
    buildStubs();
    return nullptr;
  }

private:
  HotVersion &Hot;
  const HotColdContext &Context;
  const BinaryContext &BC;
  const MCPlusBuilder &MIB;
  HotColdGain &Gain;
  Frame F;
  std::map<RegisterSet, RegisterSet> NewNames;

  /// Everything on the stack has to stay where it is when the stack pointer
  /// does.
  const char *checkVariables() {
    for (const HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      for (const MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.What != Kind::None || MIB.isPseudo(Inst) ||
            MIB.isReturn(Inst) || MIB.isTailCall(Inst) ||
            !(Context.Registers.effects(Inst).Reads & reg::RSP))
          continue;
        if (!isPlainStackAccess(Context, Inst))
          return "the address of the stack is used";
        const int64_t From =
            MIB.evaluateX86MemoryOperand(Inst)->DispImm - Depth;
        if (From < -RedZone || (From < 8 && From > -8))
          return "variables beyond the red zone";
      }
    }
    return nullptr;
  }

  /// Finds a register for each one of the caller's that hot code uses.
  const char *rename() {
    const RegisterSet Used = F.Mentioned & F.Saved;
    if (Used && (Used & F.Implicit || F.HighBytes))
      return "no register can take another's place";
    RegisterSet Free = reg::General & ~reg::RSP & ~reg::CalleeSaved &
                       Context.Summaries.of(Hot.function()).Clobbers &
                       ~F.Mentioned & ~F.Implicit &
                       ~Hot.original().into(*Hot.blocks().front().Original);
    for (const HotVersion::Stub &S : Hot.stubs())
      Free &= ~Hot.liveInto(S);
    for (const HotVersion::Block &B : Hot.blocks())
      for (const MCInst &Inst : B.Code)
        if (MIB.isTailCall(Inst))
          Free &= ~Hot.original().before(*B.Original, Inst, 0);
    for (unsigned I = 0; I < 16; ++I) {
      if (!(Used & reg::bit(I)))
        continue;
      if (const RegisterSet Original = copiedFrom(reg::bit(I))) {
        NewNames[reg::bit(I)] = Original;
        continue;
      }
      if (!Free)
        return "no free register";
      NewNames[reg::bit(I)] = Free & -Free;
      Free &= Free - 1;
    }
    return nullptr;
  }

  /// The register, which hot code never writes, that \p Copy is always a copy
  /// of.
  RegisterSet copiedFrom(RegisterSet Copy) const {
    RegisterSet From = 0, Written = 0;
    for (const HotVersion::Block &B : Hot.blocks())
      for (const MCInst &Inst : B.Code) {
        if (Context.Stack.effect(Inst).What != Kind::None)
          continue;
        const RegisterEffects E = Context.Registers.effects(Inst);
        Written |= E.Writes;
        if (!(E.Writes & Copy))
          continue;
        if (From || Inst.getOpcode() != Context.Stack.move())
          return 0;
        From = E.Reads;
      }
    return From & ~Written & ~reg::RSP & ~reg::CalleeSaved;
  }

  void rename(MCInst &Inst) const {
    for (unsigned I = 0; I < MCPlus::getNumPrimeOperands(Inst); ++I) {
      MCOperand &Op = Inst.getOperand(I);
      if (!Op.isReg() || !Op.getReg())
        continue;
      auto At = NewNames.find(Context.Registers.setOf(Op.getReg()));
      if (At == NewNames.end())
        continue;
      const MCPhysReg Old = Context.Registers.generalRegister(At->first);
      const MCPhysReg New = Context.Registers.generalRegister(At->second);
      if (Op.getReg() == Old)
        Op.setReg(New);
      else
        Op.setReg(BC.MRI->getSubReg(
            New, BC.MRI->getSubRegIndex(Old, Op.getReg())));
    }
  }

  void removeFromBlocks() {
    for (HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      B.CFIState = 0;
      std::vector<MCInst> Kept;
      for (MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.What == Kind::Push || E.What == Kind::Pop)
          (E.Register & F.Saved ? Gain.Saves : Gain.Adjusts) += B.Count;
        if (E.What == Kind::Adjust)
          Gain.Adjusts += B.Count;
        if (E.What != Kind::None || MIB.isPseudo(Inst))
          continue;
        const RegisterEffects R = Context.Registers.effects(Inst);
        if (R.Reads & reg::RSP && !MIB.isReturn(Inst) && !MIB.isTailCall(Inst))
          MIB.replaceMemOperandDisp(
              Inst, MCOperand::createImm(
                        MIB.evaluateX86MemoryOperand(Inst)->DispImm - Depth));
        rename(Inst);
        if (Inst.getOpcode() == Context.Stack.move() &&
            Inst.getOperand(0).getReg() == Inst.getOperand(1).getReg()) {
          Gain.Moves += B.Count;
          continue;
        }
        Kept.push_back(Inst);
      }
      B.Code = std::move(Kept);
    }
  }

  void buildStubs() {
    for (HotVersion::Stub &S : Hot.stubs()) {
      const RegisterSet Needed = Hot.liveInto(S);
      S.CFIState = 0;
      if (S.Depth)
        for (const MCInst &Inst : *F.Prolog) {
          if (MIB.isCFI(Inst)) {
            S.Replay.push_back(Inst);
            continue;
          }
          const StackEffect E = Context.Stack.effect(Inst);
          if (E.Growth < 0)
            break; // A frame that ends where it began.
          if (E.What == Kind::Push && E.Register & F.Saved)
            S.Replay.push_back(Inst);
          else if (E.Growth > 0)
            S.Replay.push_back(growStack(Context, E.Growth));
        }
      for (const auto &[Old, New] : NewNames)
        if (Needed & Old && S.Depth) {
          S.Replay.push_back(
              MCInstBuilder(Context.Stack.move())
                  .addReg(Context.Registers.generalRegister(Old))
                  .addReg(Context.Registers.generalRegister(New)));
        }
    }
  }
};

} // namespace

const char *graupel::removeFrame(HotVersion &Hot, HotColdGain &Gain) {
  return FrameRemoval(Hot, Gain).run();
}
