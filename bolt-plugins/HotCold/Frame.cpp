//===- HotCold/Frame.cpp - The frame of a hot version ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Read the frame of the block that builds it: pushes of saved registers, and
//    what makes room (readProlog).
// 2. Check all hot blocks: each takes down the same frame or keeps it,
//    and uses saved registers only inside of it (readBlock, readUse).
// 3. Registers that instructions or callees use without an operand, or that hot
//    code reads before it sets them (readBeforeSet), cannot be renamed: they
//    are implicit.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstBuilder.h"
#include <array>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using Kind = StackEffect::Kind;

const char *Frame::read(HotVersion &Hot) {
  const HotVersion::Block *Builder = nullptr;
  for (const HotVersion::Block &B : Hot.blocks())
    for (const MCInst &Inst : B.Code) {
      const StackEffect E = Hot.context().Stack.effect(Inst);
      if (E.Operation == Kind::Unknown)
        return StackPointerModified;
      if (E.Growth > 0 && Builder && Builder != &B)
        return "several frames";
      if (E.Growth > 0)
        Builder = &B;
    }
  if (!Builder)
    return "no frame";
  Prolog = Builder->Original;
  if (const char *Reason = readProlog(Hot, *Builder))
    return Reason;
  const std::vector<RegisterSet> LiveIn = Hot.liveInto(/*Stubs=*/true);
  for (const HotVersion::Block &B : Hot.blocks())
    if (const char *Reason = readBlock(Hot, B, LiveIn))
      return Reason;
  for (const HotVersion::Stub &S : Hot.stubs())
    if (S.Depth != 0 && S.Depth != Size)
      return "cold code with another frame";
  // Compilers spill registers that were never set, or return parts of them.
  Implicit |= readBeforeSet(Hot);
  return nullptr;
}

namespace {

/// Number of lower bytes that are needed, by general register.
using NeededBytes = std::array<uint8_t, 16>;

/// Goes from behind \p Inst to before it. Instructions that leave a part of
/// their result alone do not need it by themselves.
void stepBack(const HotColdContext &Context, const MCInst &Inst,
              NeededBytes &Needed) {
  const MCInstrDesc &Info = Context.BC.MII->get(Inst.getOpcode());
  const RegisterModel &Registers = Context.Registers;
  const RegisterEffects E = Registers.effects(Inst);
  auto bytes = [&](const MCOperand &Op) -> uint8_t * {
    const RegisterSet Set = Op.isReg() ? Registers.setOf(Op.getReg()) : 0;
    return Set & reg::General ? &Needed[Log2_64(Set & reg::General)] : nullptr;
  };
  const auto Operands = MCPlus::primeOperands(Inst);
  if (!Registers.namesHighByte(Inst))
    for (const MCOperand &Op : llvm::make_range(
             Operands.begin(), Operands.begin() + Info.getNumDefs()))
      if (uint8_t *Bytes = bytes(Op);
          Bytes && *Bytes <= Context.BC.MIB->getRegSize(Op.getReg()))
        *Bytes = 0;
  for (unsigned I = 0; I < Needed.size(); ++I)
    if (E.Kills & reg::bit(I))
      Needed[I] = 0;
  for (const MCOperand &Op : drop_begin(Operands, Info.getNumDefs()))
    if (uint8_t *Bytes = bytes(Op);
        Bytes && Registers.setOf(Op.getReg()) & E.Reads)
      *Bytes =
          std::max<uint8_t>(*Bytes, Context.BC.MIB->getRegSize(Op.getReg()));
}

} // namespace

/// The caller's registers that hot code itself reads, saving them aside.
RegisterSet Frame::readBeforeSet(const HotVersion &Hot) const {
  const HotColdContext &Context = Hot.context();
  const std::vector<HotVersion::Block> &Blocks = Hot.blocks();
  std::vector<NeededBytes> Into(Blocks.size(), NeededBytes());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Index = Blocks.size(); Index--;) {
      NeededBytes Needed = {};
      for (const HotVersion::Way &W : Blocks[Index].Ways)
        for (unsigned I = 0; I < Needed.size() && !W.ToStub; ++I)
          Needed[I] = std::max(Needed[I], Into[W.To][I]);
      for (const MCInst &Inst : reverse(Blocks[Index].Code))
        if (!Context.BC.MIB->isPseudo(Inst) &&
            Context.Stack.effect(Inst).Operation != Kind::Push)
          stepBack(Context, Inst, Needed);
      Changed |= Needed != Into[Index];
      Into[Index] = Needed;
    }
  }
  RegisterSet Result = 0;
  for (unsigned I = 0; I < 16; ++I)
    if (Into.front()[I])
      Result |= reg::bit(I);
  return Result;
}

const char *Frame::readProlog(const HotVersion &Hot,
                              const HotVersion::Block &B) {
  if (B.Depth != 0)
    return "several frames";
  RegisterSet Written = 0;
  bool Shrinks = false;
  for (const MCInst &Inst : B.Code) {
    if (const MCCFIInstruction *CFI = Hot.function().getCFIFor(Inst))
      if (CFI->getOperation() != MCCFIInstruction::OpDefCfaOffset &&
          CFI->getOperation() != MCCFIInstruction::OpAdjustCfaOffset &&
          CFI->getOperation() != MCCFIInstruction::OpOffset)
        return "unusual unwind information";
    const StackEffect E = Hot.context().Stack.effect(Inst);
    Shrinks |= E.Growth < 0;
    if (E.Growth > 0 && Shrinks)
      return "several frames";
    if (E.Growth > 0)
      Size += E.Growth;
    if (E.Operation != Kind::Push || !(E.Register & reg::CalleeSaved)) {
      Written |= Hot.context().Registers.effects(Inst).Writes;
      continue;
    }
    if ((Written | Saved) & E.Register)
      return "a save is none";
    Saved |= E.Register;
    Saves.push_back({E.Register, Size});
  }
  return nullptr;
}

const char *Frame::readBlock(const HotVersion &Hot, const HotVersion::Block &B,
                             const std::vector<RegisterSet> &LiveIn) {
  int64_t Depth = B.Depth;
  if (Depth != 0 && Depth != Size)
    return "blocks with a part of the frame";
  RegisterSet Live = Hot.liveBehind(B, LiveIn, /*Stubs=*/true);
  std::vector<RegisterSet> LiveAfter(B.Code.size());
  for (unsigned I = B.Code.size(); I--;) {
    LiveAfter[I] = Live;
    Live = Hot.original().before(*B.Original, B.Code[I], Live);
  }
  RegisterSet Held = heldInto(B);
  for (unsigned I = 0; I < B.Code.size(); ++I) {
    const MCInst &Inst = B.Code[I];
    Depth += Hot.context().Stack.effect(Inst).Growth;
    if (const char *Reason = readInstruction(Hot, Inst, LiveAfter[I], Depth))
      return Reason;
    if (const char *Reason = readUse(Hot, Inst, Held))
      return Reason;
    Held = heldBehind(Hot.context(), Inst, Held);
  }
  if (Depth != 0 && (Depth != Size || B.Ways.empty()))
    return "blocks with a part of the frame";
  return nullptr;
}

/// \p Depth is the stack's behind the instruction.
const char *Frame::readInstruction(const HotVersion &Hot, const MCInst &Inst,
                                   RegisterSet LiveAfter, int64_t Depth) {
  const HotColdContext &Context = Hot.context();
  const MCPlusBuilder &MIB = *Context.BC.MIB;
  if (MIB.isPseudo(Inst))
    return nullptr;
  const StackEffect E = Context.Stack.effect(Inst);
  const RegisterEffects R = Context.Registers.effects(Inst);
  switch (E.Operation) {
  case Kind::Pop: {
    const Save Expected{E.Register, Depth + 8};
    if (E.Register & Saved)
      return any_of(Saves,
                    [&](const Save &S) {
                      return S.Register == Expected.Register &&
                             S.Depth == Expected.Depth;
                    })
                 ? nullptr
                 : "a restore is none";
    // Otherwise it only moves the stack pointer.
    return E.Register & LiveAfter ? "a value is popped" : nullptr;
  }
  case Kind::Push:
    return E.Register & Saved || E.Register == reg::RAX ? nullptr
                                                        : "a value is pushed";
  case Kind::Adjust:
    return R.Writes & LiveAfter & reg::Flags ? "flags of the stack pointer"
                                             : nullptr;
  case Kind::Unknown:
    return StackPointerModified;
  case Kind::None:
    return nullptr;
  }
  llvm_unreachable("all kinds are handled");
}

/// \p Held are the saved registers that do not hold the caller's values.
const char *Frame::readUse(const HotVersion &Hot, const MCInst &Inst,
                           RegisterSet Held) {
  const HotColdContext &Context = Hot.context();
  const MCPlusBuilder &MIB = *Context.BC.MIB;
  if (MIB.isPseudo(Inst) || Context.Stack.effect(Inst).Operation != Kind::None)
    return nullptr;
  RegisterEffects R = Context.Registers.effects(Inst);
  if (MIB.isCall(Inst) && !MIB.isTailCall(Inst)) {
    // There are other conventions than the ABI's.
    const RegisterSummaries::Summary Callee = Context.Summaries.ofCall(Inst);
    R.Reads |= Callee.Uses;
    R.Writes |= Callee.MayChange & reg::CalleeSaved;
    Implicit |= R.Reads | R.Writes;
  }
  if ((R.Reads | R.Writes) & Saved & ~Held)
    return "a saved register is used outside of the frame";
  if (MIB.isReturn(Inst) || MIB.isTailCall(Inst))
    return nullptr;
  Mentioned |= R.Reads | R.Writes;
  const MCInstrDesc &Info = Context.BC.MII->get(Inst.getOpcode());
  for (MCPhysReg Register : Info.implicit_uses())
    Implicit |= Context.Registers.setOf(Register);
  for (MCPhysReg Register : Info.implicit_defs())
    Implicit |= Context.Registers.setOf(Register);
  return nullptr;
}

RegisterSet Frame::heldBehind(const HotColdContext &Context, const MCInst &Inst,
                              RegisterSet Held) const {
  const StackEffect E = Context.Stack.effect(Inst);
  if (E.Operation == Kind::Push)
    return Held | (E.Register & Saved);
  if (E.Operation == Kind::Pop)
    return Held & ~E.Register;
  return Held;
}

MCInst graupel::loadStackAddress(const HotColdContext &Context, MCPhysReg To,
                                 int64_t Distance) {
  return MCInstBuilder(Context.Stack.loadAddress())
      .addReg(To)
      .addReg(Context.Registers.generalRegister(reg::RSP))
      .addImm(1)
      .addReg(0)
      .addImm(Distance)
      .addReg(0);
}

MCInst graupel::growStack(const HotColdContext &Context, int64_t By) {
  return loadStackAddress(Context, Context.Registers.generalRegister(reg::RSP),
                          -By);
}
