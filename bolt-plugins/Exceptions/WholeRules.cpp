//===- Exceptions/WholeRules.cpp - Where the caller's frame is ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a part of a function begins, BOLT 22 repeats the rules that lead to the
// state there, the newest first, and leaves out those that change nothing.
// After .cfi_def_cfa %r11, N and .cfi_def_cfa_register %rsp (the probing loop of
// -fstack-clash-protection) the register is right already, in BOLT's eyes, but
// the offset is still missing; so it repeats the former and not the latter. The
// frame is sought by %r11 then.
//
// So a register or an offset that is given alone, behind both at once, becomes
// both at once:
//
// 1. Follow register and offset through the rules; states are remembered and
//    restored.
// 2. Behind .cfi_def_cfa, replace .cfi_def_cfa_register and .cfi_def_cfa_offset
//    by .cfi_def_cfa with what holds then.
//
//===----------------------------------------------------------------------===//

#include "Driver/BoltInternals.h"
#include "Exceptions.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

struct FrameAddress {
  unsigned Register = 0;
  int64_t Offset = 0;
  bool IsKnown = false; ///< It is no expression.
  bool IsWhole = false; ///< The last rule gave both.
};

class RuleReader {
public:
  /// True if \p Rule gives a part of what was given as a whole.
  bool follow(const MCCFIInstruction &Rule) {
    switch (Rule.getOperation()) {
    case MCCFIInstruction::OpDefCfa:
      Now = {Rule.getRegister(), Rule.getOffset(), true, true};
      return false;
    case MCCFIInstruction::OpDefCfaRegister:
      Now.Register = Rule.getRegister();
      return Now.IsKnown && Now.IsWhole;
    case MCCFIInstruction::OpDefCfaOffset:
      Now.Offset = Rule.getOffset();
      return Now.IsKnown && Now.IsWhole;
    case MCCFIInstruction::OpEscape:
      if (!Rule.getValues().empty() &&
          uint8_t(Rule.getValues()[0]) == dwarf::DW_CFA_def_cfa_expression)
        Now.IsKnown = Now.IsWhole = false;
      return false;
    case MCCFIInstruction::OpRememberState:
      Remembered.push_back(Now);
      return false;
    case MCCFIInstruction::OpRestoreState:
      if (!Remembered.empty())
        Now = Remembered.pop_back_val();
      return false;
    default:
      return false;
    }
  }

  /// What every function begins with is not repeated.
  void begin() { Now.IsWhole = false; }
  const FrameAddress &now() const { return Now; }

private:
  FrameAddress Now;
  SmallVector<FrameAddress, 2> Remembered;
};

} // namespace

void graupel::completeFrameRules(BinaryFunction &BF) {
  RuleReader Reader;
  for (const MCCFIInstruction &Rule :
       BF.*member(internals::CIEFrameInstructionsTag()))
    Reader.follow(Rule);
  Reader.begin();
  for (MCCFIInstruction &Rule : BF.*member(internals::FrameInstructionsTag()))
    if (Reader.follow(Rule))
      Rule = MCCFIInstruction::cfiDefCfa(nullptr, Reader.now().Register,
                                         Reader.now().Offset);
}
