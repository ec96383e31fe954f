//===- HotCold/UnreadCode.cpp - Functions without a flow graph ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnreadCode.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// From the first byte to the last, or to what is no instruction.
UnreadCode::Code UnreadCode::read(const BinaryFunction &BF) const {
  Code Result;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!Bytes)
    return Result;
  uint64_t Size = 0;
  for (uint64_t At = 0; At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success)
      break;
    Result.Writes |= Model.effects(Inst).Writes & ~reg::RSP;
    uint64_t Target = 0;
    const bool IsCall = BC.MIB->isCall(Inst);
    if (!IsCall && !BC.MIB->isBranch(Inst))
      continue;
    if (!BC.MIB->evaluateBranch(Inst, Address, Size, Target)) {
      if (IsCall) // Through a pointer, to whatever it may be.
        Result.Writes |= reg::CallerSaved;
      continue;
    }
    const BinaryFunction *Callee =
        BC.getBinaryFunctionContainingAddress(Target);
    if (!Callee || Callee->isPLTFunction())
      Result.Writes |= IsCall ? reg::CallerSaved : 0;
    else if (Callee != &BF)
      Result.Callees.push_back(Callee);
  }
  return Result;
}

/// True if all that \p Inst does is to put a saved register on the stack.
bool UnreadCode::isSaved(const MCInst &Inst, const RegisterEffects &E) const {
  const RegisterSet Stored = E.Reads & reg::CalleeSaved;
  if (!isPowerOf2_64(Stored))
    return BC.MIB->isPush(Inst);
  const bool IsStore = BC.MII->get(Inst.getOpcode()).mayStore();
  return IsStore && !(E.Reads & ~(Stored | reg::RSP)) &&
         !(E.Writes & ~reg::RSP);
}

bool UnreadCode::followsABI(const BinaryFunction &BF) {
  const auto [At, IsNew] = ABI.try_emplace(&BF, true);
  if (!IsNew)
    return At->second; // In a cycle, the others decide.
  // The rest of the flags and of x87 is state that functions share.
  RegisterSet Written = reg::Parameters | reg::Float;
  RegisterSet Saved = 0;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  uint64_t Size = 0;
  bool Follows = bool(Bytes);
  for (uint64_t At = 0; Follows && At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    Follows = BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                        nulls()) == MCDisassembler::Success;
    if (!Follows)
      break;
    const RegisterEffects E = Model.effects(Inst);
    if (isSaved(Inst, E)) {
      Saved |= E.Reads & reg::CalleeSaved;
      continue;
    }
    // Who assigns to a part of a register leaves the rest.
    Follows = !(E.Reads & ~Written & ~(E.Writes & ~E.Kills)) &&
              !(E.Writes & reg::CalleeSaved & ~Saved);
    Written |= E.Writes;
    const bool IsCall = BC.MIB->isCall(Inst);
    if (IsCall)
      Written |= reg::CallerSaved;
    uint64_t Target = 0;
    if ((!IsCall && !BC.MIB->isBranch(Inst)) ||
        !BC.MIB->evaluateBranch(Inst, Address, Size, Target))
      continue;
    const BinaryFunction *To = BC.getBinaryFunctionContainingAddress(Target);
    if (IsCall || !To || To == &BF || To->isPLTFunction())
      continue;
    Follows &= To->getAddress() == Target && followsABI(*To);
  }
  return ABI[&BF] = Follows;
}

RegisterSet UnreadCode::writes(const BinaryFunction &First) {
  const auto At = Known.find(&First);
  if (At != Known.end())
    return At->second;
  RegisterSet Result = 0;
  DenseSet<const BinaryFunction *> Seen{&First};
  std::vector<const BinaryFunction *> Open{&First};
  while (!Open.empty()) {
    const BinaryFunction *BF = Open.back();
    Open.pop_back();
    if (const auto Its = Known.find(BF); Its != Known.end()) {
      Result |= Its->second;
      continue;
    }
    const Code Its = read(*BF);
    Result |= Its.Writes;
    // There is nothing more to find out.
    if (!(reg::CallerSaved & ~Result))
      break;
    for (const BinaryFunction *Callee : Its.Callees)
      if (Seen.insert(Callee).second)
        Open.push_back(Callee);
  }
  return Known[&First] = Result;
}
