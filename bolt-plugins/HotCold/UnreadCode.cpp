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

/// True if all that \p Inst does is to put a saved register on the stack.
bool UnreadCode::isSaved(const MCInst &Inst, const RegisterEffects &E) const {
  const RegisterSet Stored = E.Reads & reg::CalleeSaved;
  if (!isPowerOf2_64(Stored))
    return BC.MIB->isPush(Inst);
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const bool IsStore = Info.mayStore() && !Info.isCall();
  return IsStore && !(E.Reads & ~(Stored | reg::RSP)) &&
         !(E.Writes & ~reg::RSP);
}

/// From the first byte to the last, or to what is no instruction.
const UnreadCode::Code &UnreadCode::read(const BinaryFunction &BF) {
  const auto [Its, IsNew] = Codes.try_emplace(&BF);
  Code &Result = Its->second;
  if (!IsNew)
    return Result;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!Bytes)
    return Result;
  Result.LooksCompiled = true;
  // The rest of the flags and of x87 is state that functions share.
  RegisterSet Written = reg::Parameters | reg::Float, Saved = 0;
  uint64_t Size = 0;
  for (uint64_t At = 0; At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success) {
      Result.LooksCompiled = false;
      break;
    }
    const RegisterEffects E = Model.effects(Inst);
    Result.Writes |= E.Writes & ~reg::RSP;
    if (isSaved(Inst, E)) {
      Saved |= E.Reads & reg::CalleeSaved;
      continue;
    }
    // Who assigns to a part of a register leaves the rest.
    Result.LooksCompiled &= !(E.Reads & ~Written & ~(E.Writes & ~E.Kills)) &&
                            !(E.Writes & reg::CalleeSaved & ~Saved);
    const bool IsCall = BC.MIB->isCall(Inst);
    Written |= E.Writes | (IsCall ? reg::CallerSaved : 0);
    uint64_t Target = 0;
    if (!IsCall && !BC.MIB->isBranch(Inst))
      continue;
    if (!BC.MIB->evaluateBranch(Inst, Address, Size, Target)) {
      if (IsCall) // Through a pointer, to whatever it may be.
        Result.Writes |= reg::CallerSaved;
      continue;
    }
    const BinaryFunction *To = BC.getBinaryFunctionContainingAddress(Target);
    if (!To || To->isPLTFunction()) {
      Result.Writes |= IsCall ? reg::CallerSaved : 0;
    } else if (To != &BF) {
      Result.Callees.push_back(To);
      if (!IsCall)
        Result.JumpsTo.push_back(To);
      Result.LooksCompiled &= IsCall || To->getAddress() == Target;
    }
  }
  return Result;
}

bool UnreadCode::followsABI(const BinaryFunction &First) {
  DenseSet<const BinaryFunction *> Seen{&First};
  std::vector<const BinaryFunction *> Open{&First};
  while (!Open.empty()) {
    const Code &Its = read(*Open.back());
    Open.pop_back();
    if (!Its.LooksCompiled)
      return false;
    for (const BinaryFunction *To : Its.JumpsTo)
      if (Seen.insert(To).second)
        Open.push_back(To);
  }
  return true;
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
    const Code &Its = read(*BF);
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
