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
// The frame is sought by %r11 then. BOLT makes rules that give both of
// .cfi_restore_state.
//
// So a register or an offset that is given alone, behind both at once, becomes
// both at once:
//
// 1. Follow register and offset through the rules (FrameRule).
// 2. Behind the first .cfi_def_cfa or .cfi_restore_state, replace
//    .cfi_def_cfa_register and .cfi_def_cfa_offset by .cfi_def_cfa with what
//    holds then.
//
// Where an expression computes the frame's address, BOLT still knows the
// register and the offset from before it, and leaves out a rule that gives the
// same two again. They hold no longer (the stack is aligned in between, say).
//
// 3. In front of each such expression, and of .cfi_restore_state, which may
//    bring one back, put a .cfi_def_cfa as no other rule is.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Support/BoltInternals.h"
#include "Support/FrameRule.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static bool isFrameExpression(const MCCFIInstruction &Rule) {
  return Rule.getOperation() == MCCFIInstruction::OpEscape &&
         !Rule.getValues().empty() &&
         uint8_t(Rule.getValues()[0]) == dwarf::DW_CFA_def_cfa_expression;
}

/// Whether \p Rule says where a register is, and nothing of the frame's
/// address.
static bool isOfRegister(const MCCFIInstruction &Rule) {
  if (Rule.getOperation() == MCCFIInstruction::OpEscape)
    return !isFrameExpression(Rule);
  return Rule.getOperation() == MCCFIInstruction::OpRegister ||
         Rule.getOperation() == MCCFIInstruction::OpRelOffset;
}

/// Holds for no instruction: another rule follows. No frame has this distance
/// from the stack pointer.
static MCCFIInstruction unlikeAnyOther() {
  return MCCFIInstruction::cfiDefCfa(nullptr, /*Register=*/7, /*Offset=*/1);
}

static bool mayBringExpression(const MCCFIInstruction &Rule) {
  return isFrameExpression(Rule) ||
         Rule.getOperation() == MCCFIInstruction::OpRestoreState;
}

/// Step 3 for \p Rules. Returns by how much the index of each grew.
static std::vector<uint32_t>
insertBeforeExpressions(BinaryFunction::CFIInstrMapType &Rules) {
  BinaryFunction::CFIInstrMapType Separated;
  std::vector<uint32_t> Growth;
  for (const MCCFIInstruction &Rule : Rules) {
    if (mayBringExpression(Rule))
      Separated.push_back(unlikeAnyOther());
    Growth.push_back(Separated.size() - Growth.size());
    Separated.push_back(Rule);
  }
  Rules = std::move(Separated);
  return Growth;
}

static void separateExpressions(BinaryFunction &BF) {
  auto &Common = BF.*member(internals::CIEFrameInstructionsTag());
  auto &Rules = BF.*member(internals::FrameInstructionsTag());
  if (none_of(Common, isFrameExpression) && none_of(Rules, isFrameExpression))
    return;
  insertBeforeExpressions(Common);
  const std::vector<uint32_t> Growth = insertBeforeExpressions(Rules);
  auto &Places = BF.*member(internals::OffsetToCFITag());
  std::remove_reference_t<decltype(Places)> NewPlaces;
  for (const auto &[Offset, Index] : Places) {
    const uint32_t NewIndex = Index + Growth[Index];
    if (mayBringExpression(Rules[NewIndex]))
      NewPlaces.emplace(Offset, NewIndex - 1);
    NewPlaces.emplace(Offset, NewIndex);
  }
  Places = std::move(NewPlaces);
}

void graupel::completeFrameRules(BinaryFunction &BF) {
  FrameRule Frame;
  for (const MCCFIInstruction &Rule : BF.cie())
    if (!isOfRegister(Rule))
      Frame.apply(Rule);
  bool IsBehindWhole = false;
  for (MCCFIInstruction &Rule : BF.*member(internals::FrameInstructionsTag())) {
    if (isOfRegister(Rule))
      continue;
    Frame.apply(Rule);
    IsBehindWhole |= Rule.getOperation() == MCCFIInstruction::OpDefCfa ||
                     Rule.getOperation() == MCCFIInstruction::OpRestoreState;
    const std::optional<FrameRule::Address> Whole = Frame.address();
    if (IsBehindWhole && Whole &&
        (Rule.getOperation() == MCCFIInstruction::OpDefCfaRegister ||
         Rule.getOperation() == MCCFIInstruction::OpDefCfaOffset))
      Rule =
          MCCFIInstruction::cfiDefCfa(nullptr, Whole->Register, Whole->Offset);
  }
  separateExpressions(BF);
}
