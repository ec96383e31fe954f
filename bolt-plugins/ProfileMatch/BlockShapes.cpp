//===- ProfileMatch/BlockShapes.cpp - Features of blocks ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockShapes.h"
#include "Hashing.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstPrinter.h"
#include <array>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Makes few bits of several features, most of which stay if few features
/// change: each feature votes for half of the bits and against the others.
class SketchPad {
public:
  void add(uint64_t Feature, int Weight) {
    for (size_t Bit = 0; Bit < Votes.size(); ++Bit)
      Votes[Bit] += Feature >> Bit & 1 ? Weight : -Weight;
  }

  uint32_t bits() const {
    uint32_t Result = 0;
    for (size_t Bit = 0; Bit < Votes.size(); ++Bit)
      Result |= uint32_t(Votes[Bit] > 0) << Bit;
    return Result;
  }

private:
  std::array<int, 32> Votes = {};
};

BlockShape::ExitKind exitOf(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  BlockShape::ExitKind Exit = BlockShape::Continues;
  for (const MCInst &Inst : Block) {
    if (MIB.isTailCall(Inst) && !MIB.isConditionalBranch(Inst))
      return BlockShape::TailCalls;
    if (MIB.isReturn(Inst))
      return BlockShape::Returns;
    if (MIB.isIndirectBranch(Inst))
      return BlockShape::Switches;
    if (MIB.isConditionalBranch(Inst))
      Exit = BlockShape::Branches;
  }
  return Exit;
}

} // namespace

BlockShapes::BlockShapes(const BinaryContext &BC) : BC(BC) {
  const uint64_t Nameless = hashOf("?");
  for (unsigned Opcode = 0; Opcode < BC.MII->getNumOpcodes(); ++Opcode) {
    MCInst Inst;
    Inst.setOpcode(Opcode);
    const char *Name = BC.InstPrinter->getMnemonic(Inst).first;
    Mnemonics.push_back(Name ? hashOf(StringRef(Name).trim()) : Nameless);
  }
  for (unsigned Number = 0; Number < BC.MRI->getNumRegs(); ++Number)
    Registers.push_back(hashOf(BC.MRI->getName(Number)));
}

uint64_t BlockShapes::operation(const MCInst &Inst) const {
  // The condition is turned around when the layout is.
  static const uint64_t ConditionalJump = hashOf("j");
  return BC.MIB->isConditionalBranch(Inst) ? ConditionalJump
                                           : Mnemonics[Inst.getOpcode()];
}

/// Without relocations, addresses in files with a fixed place are plain
/// numbers.
bool BlockShapes::isAddress(int64_t Value) const {
  return BC.HasFixedLoadAddress && Value > 0xffff &&
         BC.getSectionForAddress(Value);
}

BlockShape BlockShapes::of(const BinaryBasicBlock &Block) const {
  BlockShape Shape;
  Shape.Exit = exitOf(Block);
  SketchPad Pad;
  uint64_t Exact = 0, Unordered = 0;
  for (const MCInst &Inst : Block) {
    if (BC.MIB->isPseudo(Inst) || BC.MIB->isNoop(Inst) ||
        (BC.MIB->isUnconditionalBranch(Inst) && !BC.MIB->isTailCall(Inst)))
      continue;
    ++Shape.Instructions;
    const uint64_t Operation = operation(Inst);
    Exact = mix(Exact, Operation);
    Unordered += mix(Operation);
    Pad.add(mix(Operation), 2);
    if (BC.MIB->isConditionalBranch(Inst))
      continue;
    for (const MCOperand &Operand : MCPlus::primeOperands(Inst)) {
      uint64_t Value = 1;
      if (Operand.isReg()) {
        Value = Registers[Operand.getReg()];
      } else if (Operand.isImm() && !isAddress(Operand.getImm())) {
        Value = Operand.getImm();
        // Strides and the numbers 0 and 1 are everywhere.
        if (Operand.getImm() < 0 || Operand.getImm() > 8)
          Pad.add(mix(Operation, Value), 1);
      }
      Exact = mix(Exact, Value);
    }
  }
  Shape.Exact = fold(Exact);
  Shape.Mnemonics = fold(Unordered);
  Shape.Sketch = Pad.bits();
  return Shape;
}
