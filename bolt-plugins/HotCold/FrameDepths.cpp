//===- HotCold/FrameDepths.cpp - Depths by the unwind table ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameDepths.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Where the caller's frame is: a register and a distance from it.
struct Rule {
  unsigned Register = 7; // The stack pointer, in DWARF's order.
  int64_t Offset = 8;
  bool IsKnown = true;

  std::optional<int64_t> depth() const {
    if (!IsKnown || Register != 7)
      return std::nullopt;
    return Offset - 8;
  }
};

} // namespace

static void apply(const MCCFIInstruction &CFI, Rule &Now,
                  std::vector<Rule> &Remembered) {
  switch (CFI.getOperation()) {
  case MCCFIInstruction::OpDefCfa:
    Now = {CFI.getRegister(), CFI.getOffset(), true};
    return;
  case MCCFIInstruction::OpDefCfaRegister:
    Now.Register = CFI.getRegister();
    return;
  case MCCFIInstruction::OpDefCfaOffset:
    Now.Offset = CFI.getOffset();
    return;
  case MCCFIInstruction::OpAdjustCfaOffset:
    Now.Offset += CFI.getOffset();
    return;
  case MCCFIInstruction::OpRememberState:
    Remembered.push_back(Now);
    return;
  case MCCFIInstruction::OpRestoreState:
    if (Remembered.empty())
      Now.IsKnown = false;
    else
      Now = Remembered.back(), Remembered.pop_back();
    return;
  case MCCFIInstruction::OpOffset:
  case MCCFIInstruction::OpSameValue:
  case MCCFIInstruction::OpRestore:
  case MCCFIInstruction::OpUndefined:
  case MCCFIInstruction::OpGnuArgsSize:
    return; // Say nothing of the frame's address.
  default:
    Now.IsKnown = false; // Expressions.
  }
}

FrameDepths::FrameDepths(const BinaryFunction &BF) {
  if (BF.getFDEProgram().empty())
    return; // It has no table, or no frame.
  Rule Now;
  std::vector<Rule> Remembered;
  Depths.push_back(Now.depth());
  for (const MCCFIInstruction &CFI : BF.getFDEProgram()) {
    apply(CFI, Now, Remembered);
    Depths.push_back(Now.depth());
  }
}

std::optional<int64_t> FrameDepths::into(const BinaryBasicBlock &Block) const {
  const int32_t State = Block.getCFIState();
  if (State < 0 || size_t(State) >= Depths.size())
    return std::nullopt;
  return Depths[State];
}
