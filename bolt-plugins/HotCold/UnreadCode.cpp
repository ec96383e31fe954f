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

RegisterSet graupel::savedBy(const BinaryContext &BC, const MCInst &Inst,
                             const RegisterEffects &E) {
  const RegisterSet Stored = E.Reads & reg::CalleeSaved;
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const bool IsStore = Info.mayStore() && !Info.isCall();
  const bool DoesNoMore =
      !(E.Reads & ~(Stored | reg::RSP)) && !(E.Writes & ~reg::RSP);
  return isPowerOf2_64(Stored) && IsStore && DoesNoMore && E.Reads & reg::RSP
             ? Stored
             : 0;
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
  Result.Own = OwnConvention();
  RegisterSet Unwritten = NoParameters, Unsaved = reg::CalleeSaved;
  bool HasBranched = false, AsksProcessor = false, CallsItself = false;
  uint64_t Size = 0;
  for (uint64_t At = 0; At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success) {
      Result.Own = OwnConvention::unknown();
      break;
    }
    const RegisterEffects E = Model.effects(Inst);
    Result.Writes |= E.Writes & ~reg::RSP;
    if (const RegisterSet Saved = savedBy(BC, Inst, E)) {
      Unsaved &= ~Saved;
      continue;
    }
    // Who assigns to a part of a register leaves the rest.
    const RegisterSet Strange = E.Reads & Unwritten & ~(E.Writes & ~E.Kills);
    Result.Own.Reads |= Strange & Unsaved;
    // What was saved, or need not be, may be read as a variable that is set
    // further down, but not in the beginning. BSR only seems to read it.
    if (HasBranched)
      Result.ReadBefore |= Strange & ~reg::CalleeSaved;
    else
      Result.Own.Reads |= Strange & ~E.Writes;
    Result.Own.Changes |= E.Writes & Unsaved;
    AsksProcessor |= BC.MII->getName(Inst.getOpcode()) == "CPUID";
    const bool IsCall = BC.MIB->isCall(Inst);
    Unwritten &= ~E.Writes;
    HasBranched |= BC.MIB->isBranch(Inst);
    uint64_t Target = 0;
    if (!IsCall && !BC.MIB->isBranch(Inst))
      continue;
    const bool IsDirect = BC.MIB->evaluateBranch(Inst, Address, Size, Target);
    const BinaryFunction *To =
        IsDirect ? BC.getBinaryFunctionContainingAddress(Target) : nullptr;
    // Thunks call their own code, and what they store there is where they go.
    CallsItself |= IsCall && To == &BF;
    if (IsCall && To != &BF)
      Unwritten &= ~reg::CallerSaved;
    if (!To || To->isPLTFunction()) {
      // Of another image, or whatever it may be.
      Result.Writes |= IsCall ? reg::CallerSaved : 0;
    } else if (To != &BF) {
      Result.Callees.push_back(To);
      if (IsCall || To->isFragment()) // A part goes on with whatever is there.
        continue;
      Result.JumpsTo.push_back(To);
      if (To->getAddress() != Target)
        Result.Own = OwnConvention::unknown();
    }
  }
  if (CallsItself)
    Result.Own.Reads |= reg::CalleeSaved & ~Unsaved;
  Result.Own.Reads |= Result.ReadBefore & ~Result.Writes;
  // Who calls CPUID keeps RBX in another register.
  if (AsksProcessor) {
    Result.Own.Reads &= ~reg::RBX;
    Result.Own.Changes &= ~reg::RBX;
  }
  return Result;
}

OwnConvention UnreadCode::conventionOf(const BinaryFunction &First,
                                       bool Strict) {
  OwnConvention Result;
  DenseSet<const BinaryFunction *> Seen{&First};
  std::vector<const BinaryFunction *> Open{&First};
  while (!Open.empty()) {
    const Code &Its = read(*Open.back());
    Open.pop_back();
    Result.join(Its.Own);
    if (Strict)
      Result.Reads |= Its.ReadBefore;
    for (const BinaryFunction *To : Its.JumpsTo)
      if (Seen.insert(To).second)
        Open.push_back(To);
  }
  return Result;
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
