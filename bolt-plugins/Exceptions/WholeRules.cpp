//===- Exceptions/WholeRules.cpp - Where the caller's frame is ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a part of a function begins, BOLT 22 repeats the rules that lead to the
// state there, the newest first, and leaves out those that change nothing.
// After .cfi_def_cfa %r11, N and .cfi_def_cfa_register %rsp (the probing loop
// of -fstack-clash-protection) the register is right already, in BOLT's eyes,
// but the offset is still missing; so it repeats the former and not the latter.
// The frame is sought by %r11 then.
//
// So a register or an offset that is given alone, behind both at once, becomes
// both at once:
//
// 1. Follow register and offset through the rules (FrameRule).
// 2. Behind .cfi_def_cfa, replace .cfi_def_cfa_register and .cfi_def_cfa_offset
//    by .cfi_def_cfa with what holds then.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Support/BoltInternals.h"
#include "Support/FrameRule.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Whether \p Rule says where a register is, and nothing of the frame's
/// address.
static bool isOfRegister(const MCCFIInstruction &Rule) {
  if (Rule.getOperation() == MCCFIInstruction::OpEscape)
    return Rule.getValues().empty() ||
           uint8_t(Rule.getValues()[0]) != dwarf::DW_CFA_def_cfa_expression;
  return Rule.getOperation() == MCCFIInstruction::OpRegister ||
         Rule.getOperation() == MCCFIInstruction::OpRelOffset;
}

void graupel::completeFrameRules(BinaryFunction &BF) {
  FrameRule Frame;
  for (MCCFIInstruction &Rule : BF.*member(internals::FrameInstructionsTag())) {
    if (isOfRegister(Rule))
      continue;
    Frame.apply(Rule);
    const std::optional<FrameRule::Address> Whole = Frame.sinceWhole();
    if (Whole && (Rule.getOperation() == MCCFIInstruction::OpDefCfaRegister ||
                  Rule.getOperation() == MCCFIInstruction::OpDefCfaOffset))
      Rule =
          MCCFIInstruction::cfiDefCfa(nullptr, Whole->Register, Whole->Offset);
  }
}
