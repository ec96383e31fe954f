//===- HotCold/Proof/SlotLiveness.cpp - Slots read later ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotLiveness.h"
#include "HotCold/Machine/Parts.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;
using Kind = StackEffect::Kind;

constexpr int64_t Word = 8, RedZone = 128; // In bytes.

SlotLiveness::SlotLiveness(const MachineModel &Context,
                           const BinaryFunction &BF,
                           const NeededRegisters &Registers,
                           const CalleeFacts &Callees,
                           const Provenance &Origins, AccessSizes &Sizes)
    : Context(Context), Registers(Registers), Callees(Callees), Sizes(Sizes),
      LiveIn(BF.size()) {
  for (const BinaryBasicBlock &Block : BF)
    Depths.push_back(Origins.depth(Block));
  int64_t Deepest = 0;
  for (const BinaryBasicBlock &Block : BF) {
    int64_t Depth = Depths[Block.getIndex()].value_or(0);
    for (const MCInst &Inst : Block) {
      Depth += Context.Stack.effect(Inst).Growth;
      Deepest = std::max(Deepest, Depth);
    }
  }
  Count = Deepest + RedZone;
  for (Bytes &W : LiveIn)
    W = {BitVector(Count), BitVector(Count)};
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock &Block : llvm::reverse(BF)) {
      Bytes Live = atBeginning(Block);
      Changed |= Live != LiveIn[Block.getIndex()];
      LiveIn[Block.getIndex()] = std::move(Live);
    }
  }
}

/// Byte N is N + 1 bytes below the return address.
void SlotLiveness::mark(BitVector &Bits, int64_t At, int64_t Size,
                        bool To) const {
  for (int64_t I = At; I < std::min<int64_t>(At + Size, 0); ++I)
    if (-I - 1 < static_cast<int64_t>(Count))
      Bits[-I - 1] = To;
}

bool SlotLiveness::isLive(const BinaryBasicBlock &Block, int64_t At,
                          int64_t Size, bool Itself) const {
  const Bytes &Live = LiveIn[Block.getIndex()];
  for (int64_t I = At; I < std::min<int64_t>(At + Size, 0); ++I) {
    const int64_t Bit = -I - 1;
    if (Bit >= static_cast<int64_t>(Count) || Live.Itself[Bit] ||
        (!Itself && Live.Callees[Bit]))
      return true;
  }
  return false;
}

SlotLiveness::Bytes
SlotLiveness::atBeginning(const BinaryBasicBlock &Block) const {
  Bytes Live{BitVector(Count), BitVector(Count)};
  if (!Depths[Block.getIndex()]) {
    Live.Itself.set();
    return Live;
  }
  auto add = [&](const BinaryBasicBlock *To) {
    Live.Itself |= LiveIn[To->getIndex()].Itself;
    Live.Callees |= LiveIn[To->getIndex()].Callees;
  };
  for (const BinaryBasicBlock *To : Block.successors())
    add(To);
  for (const BinaryBasicBlock *To : Block.landing_pads())
    add(To);
  std::vector<int64_t> DepthBefore;
  int64_t Depth = *Depths[Block.getIndex()];
  for (const MCInst &Inst : Block) {
    DepthBefore.push_back(Depth);
    Depth += Context.Stack.effect(Inst).Growth;
  }
  RegisterSet LiveRegisters = Registers.outOf(Block);
  for (const MCInst &Inst : llvm::reverse(Block)) {
    const bool IsCall =
        !Context.BC.MIB->isPseudo(Inst) && Context.BC.MIB->isCall(Inst);
    if (IsCall && !Context.BC.MIB->isTailCall(Inst) &&
        !Callees.ofCall(*Block.getFunction(), Inst).Returns)
      Live = {BitVector(Count), BitVector(Count)};
    stepBack(Inst, DepthBefore.back(), LiveRegisters, Live);
    // Whatever a throwing call leaves to its landing pad.
    if (IsCall)
      for (const BinaryBasicBlock *To : Block.landing_pads())
        add(To);
    LiveRegisters = Registers.before(Block, Inst, LiveRegisters);
    DepthBefore.pop_back();
  }
  return Live;
}

void SlotLiveness::stepBack(const MCInst &Inst, int64_t Depth,
                            RegisterSet LiveAfter, Bytes &Live) const {
  const MCPlusBuilder &MIB = *Context.BC.MIB;
  if (MIB.isPseudo(Inst) || MIB.isReturn(Inst))
    return;
  auto write = [&](int64_t At, int64_t Size) {
    mark(Live.Itself, At, Size, false);
    mark(Live.Callees, At, Size, false);
  };
  const StackEffect E = Context.Stack.effect(Inst);
  // A part of the procedure that is elsewhere goes on with the frame.
  if (entersPart(Context.BC, Inst))
    Live.Itself.set();
  if (MIB.isCall(Inst))
    mark(Live.Callees, -Depth, Depth, true);
  else if (E.Operation == Kind::Push)
    write(-Depth - Word, Word);
  else if (E.Operation == Kind::Pop && E.Register & LiveAfter)
    mark(Live.Itself, -Depth, Word, true);
  else if (E.Operation == Kind::Unknown)
    Live.Callees.set();
  if (E.Operation != Kind::None ||
      !(Context.Registers.effects(Inst).Reads & reg::RSP) || MIB.isCall(Inst))
    return;
  if (!isPlainStackAccess(Context, Inst) || !Sizes.of(Inst)) {
    Live.Callees.set(); // Through a pointer, like those.
    return;
  }
  const MCInstrDesc &Info = Context.BC.MII->get(Inst.getOpcode());
  const int64_t At = MIB.evaluateX86MemoryOperand(Inst)->DispImm - Depth;
  if (Info.mayLoad())
    mark(Live.Itself, At, Sizes.of(Inst), true);
  else
    write(At, Sizes.of(Inst));
}
