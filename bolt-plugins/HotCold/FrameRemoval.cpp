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

#include "HotVersion.h"
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
    for (auto Step : {&FrameRemoval::findFrame, &FrameRemoval::readCode,
                      &FrameRemoval::checkStubs, &FrameRemoval::rename})
      if (const char *Reason = (this->*Step)())
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

  const BinaryBasicBlock *Prolog = nullptr;
  int64_t FrameSize = 0;
  RegisterSet Saved = 0;
  /// By register: the depth of its slot.
  std::map<RegisterSet, int64_t> Slots;
  RegisterSet Mentioned = 0, Implicit = 0, HighBytes = 0;
  std::map<RegisterSet, RegisterSet> NewNames;

  /// The one block in which the stack grows.
  const char *findFrame() {
    if (!Hot.isLeaf())
      return "calls";
    for (const HotVersion::Block &B : Hot.blocks())
      for (const MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        if (E.What == Kind::Unknown)
          return "the stack pointer is changed in other ways";
        if (E.Growth > 0 && Prolog && Prolog != B.Original)
          return "several frames";
        if (E.Growth > 0)
          Prolog = B.Original;
      }
    if (!Prolog)
      return "no frame";
    for (const HotVersion::Block &B : Hot.blocks())
      if (B.Original == Prolog)
        return readProlog(B);
    return "no frame";
  }

  const char *readProlog(const HotVersion::Block &B) {
    if (B.Depth != 0)
      return "several frames";
    RegisterSet Written = 0;
    bool Shrinks = false;
    for (const MCInst &Inst : *Prolog)
      if (const MCCFIInstruction *CFI = Hot.function().getCFIFor(Inst))
        if (CFI->getOperation() != MCCFIInstruction::OpDefCfaOffset &&
            CFI->getOperation() != MCCFIInstruction::OpAdjustCfaOffset &&
            CFI->getOperation() != MCCFIInstruction::OpOffset)
          return "unusual unwind information";
    for (const MCInst &Inst : B.Code) {
      const StackEffect E = Context.Stack.effect(Inst);
      Shrinks |= E.Growth < 0;
      if (E.Growth > 0 && Shrinks)
        return "several frames";
      if (E.Growth > 0)
        FrameSize += E.Growth;
      if (E.What == Kind::Push && E.Register & reg::CalleeSaved) {
        if (Written & E.Register || Saved & E.Register)
          return "a save is none";
        Saved |= E.Register;
        Slots[E.Register] = FrameSize;
      } else {
        Written |= Context.Registers.effects(Inst).Writes;
      }
    }
    return nullptr;
  }

  /// Learns which registers hot code uses, checks that what happens on the
  /// stack is what it seems, and brings accesses to where the slots are.
  const char *readCode() {
    const std::vector<RegisterSet> LiveIn = Hot.liveInto(/*Stubs=*/true);
    for (HotVersion::Block &B : Hot.blocks()) {
      int64_t Depth = B.Depth;
      if (Depth != 0 && Depth != FrameSize)
        return "blocks with a part of the frame";
      RegisterSet Live = Hot.liveBehind(B, LiveIn, /*Stubs=*/true);
      std::vector<RegisterSet> LiveAfter(B.Code.size());
      for (unsigned I = B.Code.size(); I--;) {
        LiveAfter[I] = Live;
        Live = Hot.original().before(*B.Original, B.Code[I], Live);
      }
      for (unsigned I = 0; I < B.Code.size(); ++I)
        if (const char *Reason = read(B, I, LiveAfter[I], Depth))
          return Reason;
      if (!B.Ways.empty() && Depth != 0 && Depth != FrameSize)
        return "blocks with a part of the frame";
      if (B.Ways.empty() && Depth != 0)
        return "leaves with its frame";
    }
    return nullptr;
  }

  const char *read(HotVersion::Block &B, unsigned Index, RegisterSet LiveAfter,
                   int64_t &Depth) {
    MCInst &Inst = B.Code[Index];
    const StackEffect E = Context.Stack.effect(Inst);
    const RegisterEffects R = Context.Registers.effects(Inst);
    Depth += E.Growth;
    if (E.What == Kind::Pop) {
      if (E.Register & Saved)
        return Slots[E.Register] == Depth + 8 ? nullptr
                                              : "a restore is none";
      return E.Register & LiveAfter ? "a value is popped" : nullptr;
    }
    if (E.What == Kind::Push)
      return E.Register & Saved || E.Register == reg::RAX
                 ? nullptr
                 : "a value is pushed";
    // The flags of a change of the stack pointer.
    if (E.What == Kind::Adjust)
      return R.Writes & LiveAfter & reg::Flags ? "flags of the stack pointer"
                                               : nullptr;
    if (MIB.isReturn(Inst) || MIB.isTailCall(Inst))
      return R.Reads & Saved ? "a target in a saved register" : nullptr;
    Mentioned |= R.Reads | R.Writes;
    noteDetails(Inst);
    if (R.Writes & reg::RSP)
      return "the stack pointer is changed in other ways";
    if (!(R.Reads & reg::RSP))
      return nullptr;
    const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    if (!Memory || Context.Registers.setOf(Memory->BaseRegNum) != reg::RSP ||
        Memory->IndexRegNum || Memory->DispExpr || Memory->SegRegNum ||
        (!Info.mayLoad() && !Info.mayStore()) || countRSP(Inst) != 1)
      return "the address of the stack is used";
    const int64_t From = Memory->DispImm - Depth;
    if (From < -RedZone || (From < 8 && From > -8))
      return "variables beyond the red zone";
    return nullptr;
  }

  unsigned countRSP(const MCInst &Inst) const {
    return count_if(MCPlus::primeOperands(Inst), [&](const MCOperand &Op) {
      return Op.isReg() && Op.getReg() &&
             Context.Registers.setOf(Op.getReg()) == reg::RSP;
    });
  }

  /// Registers that an instruction uses without naming them, and whether a
  /// second byte of one is named, which no register with a REX prefix has.
  void noteDetails(const MCInst &Inst) {
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    for (MCPhysReg R : Info.implicit_uses())
      Implicit |= Context.Registers.setOf(R);
    for (MCPhysReg R : Info.implicit_defs())
      Implicit |= Context.Registers.setOf(R);
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isReg() && Op.getReg() && MIB.isUpper8BitReg(Op.getReg()))
        HighBytes |= Context.Registers.setOf(Op.getReg()) | reg::bit(63);
  }

  const char *checkStubs() {
    for (const HotVersion::Stub &S : Hot.stubs())
      if (S.Depth != 0 && S.Depth != FrameSize)
        return "cold code with another frame";
    return nullptr;
  }

  /// Finds a register for each one of the caller's that hot code uses.
  const char *rename() {
    const RegisterSet Used = Mentioned & Saved;
    if (Used & (Implicit | HighBytes) || (Used && HighBytes))
      return "no register can take another's place";
    RegisterSet Free = reg::General & ~reg::RSP & ~reg::CalleeSaved &
                       Context.Summaries.of(Hot.function()).Clobbers &
                       ~Mentioned & ~Implicit &
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
      std::vector<MCInst> Kept;
      for (MCInst &Inst : B.Code) {
        const StackEffect E = Context.Stack.effect(Inst);
        Depth += E.Growth;
        if (E.What == Kind::Push || E.What == Kind::Pop)
          (E.Register & Saved ? Gain.Saves : Gain.Adjusts) += B.Count;
        if (E.What == Kind::Adjust)
          Gain.Adjusts += B.Count;
        if (E.What != Kind::None)
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

  MCInst grow(int64_t By) const {
    const MCPhysReg RSP = Context.Registers.generalRegister(reg::RSP);
    // Unlike SUB, it leaves the flags alone, which cold code may need.
    return MCInstBuilder(Context.Stack.loadAddress())
        .addReg(RSP)
        .addReg(RSP)
        .addImm(1)
        .addReg(0)
        .addImm(-By)
        .addReg(0);
  }

  void buildStubs() {
    for (HotVersion::Stub &S : Hot.stubs()) {
      const RegisterSet Needed = Hot.liveInto(S);
      if (S.Depth)
        for (const MCInst &Inst : *Prolog) {
          if (MIB.isCFI(Inst)) {
            S.Replay.push_back(Inst);
            continue;
          }
          const StackEffect E = Context.Stack.effect(Inst);
          if (E.Growth < 0)
            break; // A frame that ends where it began.
          if (E.What == Kind::Push && E.Register & Saved)
            S.Replay.push_back(Inst);
          else if (E.Growth > 0)
            S.Replay.push_back(grow(E.Growth));
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
