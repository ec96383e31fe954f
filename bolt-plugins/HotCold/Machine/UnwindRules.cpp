//===- HotCold/Machine/UnwindRules.cpp - Call frame rules -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnwindRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

UnwindRules::UnwindRules(const BinaryFunction &BF, unsigned Count) {
  for (const MCCFIInstruction &CFI :
       ArrayRef(BF.getFDEProgram()).take_front(Count))
    apply(CFI);
}

void UnwindRules::apply(const MCCFIInstruction &CFI) {
  switch (CFI.getOperation()) {
  case MCCFIInstruction::OpDefCfa:
    Current.Register = CFI.getRegister();
    Current.Offset = CFI.getOffset();
    break;
  case MCCFIInstruction::OpDefCfaRegister:
    Current.Register = CFI.getRegister();
    break;
  case MCCFIInstruction::OpDefCfaOffset:
    Current.Offset = CFI.getOffset();
    break;
  case MCCFIInstruction::OpAdjustCfaOffset:
    Current.Offset += CFI.getOffset();
    break;
  case MCCFIInstruction::OpOffset:
    Current.Saved[CFI.getRegister()] = CFI.getOffset();
    break;
  case MCCFIInstruction::OpSameValue:
  case MCCFIInstruction::OpRestore:
    Current.Saved.erase(CFI.getRegister());
    break;
  case MCCFIInstruction::OpRememberState:
    Remembered.push_back(Current);
    break;
  case MCCFIInstruction::OpRestoreState:
    Known &= !Remembered.empty();
    if (!Remembered.empty())
      Current = Remembered.back(), Remembered.pop_back();
    break;
  case MCCFIInstruction::OpGnuArgsSize:
    break;
  default:
    Known = false;
  }
}

RegisterSet UnwindRules::saved(const MachineModel &Context) const {
  RegisterSet Result = 0;
  for (const auto &[Dwarf, Offset] : Current.Saved)
    if (const auto R = Context.BC.MRI->getLLVMRegNum(Dwarf, /*isEH=*/true))
      Result |= Context.Registers.setOf(*R);
  return Result;
}

bool UnwindRules::leadsTo(const BinaryFunction &BF, unsigned From,
                          unsigned To) const {
  UnwindRules Result(*this);
  const UnwindRules Goal(BF, To);
  const auto [First, Last] = std::minmax(From, To);
  for (const MCCFIInstruction &CFI :
       ArrayRef(BF.getFDEProgram()).slice(First, Last - First)) {
    if (To > From) {
      Result.apply(CFI);
      continue;
    }
    switch (CFI.getOperation()) {
    case MCCFIInstruction::OpDefCfa:
    case MCCFIInstruction::OpDefCfaRegister:
    case MCCFIInstruction::OpDefCfaOffset:
    case MCCFIInstruction::OpAdjustCfaOffset:
      Result.Current.Register = Goal.Current.Register;
      Result.Current.Offset = Goal.Current.Offset;
      break;
    case MCCFIInstruction::OpOffset:
    case MCCFIInstruction::OpSameValue:
    case MCCFIInstruction::OpRestore: {
      const auto Slot = Goal.Current.Saved.find(CFI.getRegister());
      Result.Current.Saved.erase(CFI.getRegister());
      if (Slot != Goal.Current.Saved.end())
        Result.Current.Saved.insert(*Slot);
      break;
    }
    default:
      break;
    }
  }
  return Result == Goal;
}

std::string UnwindRules::check(const Machine &M, Executor &Execute,
                               ValueTable &Values,
                               const MachineModel &Context) const {
  const MCRegisterInfo &MRI = *Context.BC.MRI;
  auto setOf = [&](unsigned Dwarf) -> RegisterSet {
    const auto R = MRI.getLLVMRegNum(Dwarf, /*isEH=*/true);
    return R ? Context.Registers.setOf(*R) : 0;
  };
  const RegisterSet Base = setOf(Current.Register);
  constexpr int64_t FrameAddress = 8;
  if (!Base || Values.sum(M.Registers[countr_zero(Base)], Current.Offset) !=
                   Values.stackAddress(FrameAddress))
    return "the frame address";
  std::map<RegisterSet, int64_t> Slots;
  for (const auto &[Dwarf, Offset] : Current.Saved)
    Slots[setOf(Dwarf)] = Offset;
  for (unsigned I = 0; I < 16; ++I) {
    if (!(reg::CalleeSaved & reg::bit(I)))
      continue;
    const auto Slot = Slots.find(reg::bit(I));
    const ValueNo Found = Slot == Slots.end()
                              ? M.Registers[I]
                              : Execute.read(M, FrameAddress + Slot->second, 8);
    if (Found != Values.entry(I))
      return MRI.getName(Context.Registers.generalRegister(reg::bit(I)));
  }
  return "";
}
