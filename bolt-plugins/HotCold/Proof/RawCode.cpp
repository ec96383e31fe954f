//===- HotCold/Proof/RawCode.cpp - Functions without a flow graph ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are read from the first byte to the last, or to what is no
// instruction. Too little is safe: callers are taken to rely on what nobody
// writes.
//
//===----------------------------------------------------------------------===//

#include "RawCode.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

/// What \p BF writes itself. Adds whom it calls or jumps to.
RegisterSet RawCode::scan(Function &BF,
                          SmallVectorImpl<Function *> &Next) const {
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  RegisterSet Found = 0;
  uint64_t Size = 0;
  for (uint64_t At = 0; Bytes && At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success)
      break;
    Found |= Model.Registers.effects(Inst).Writes & ~reg::RSP;
    const bool IsCall = BC.MIB->isCall(Inst);
    uint64_t To = 0;
    if (!IsCall && !BC.MIB->isBranch(Inst))
      continue;
    const bool IsDirect = BC.MIB->evaluateBranch(Inst, Address, Size, To);
    const BinaryFunction *Callee =
        IsDirect ? BC.getBinaryFunctionContainingAddress(To) : nullptr;
    if (Callee && !Callee->isPLTFunction())
      Next.push_back(Callee);
    else if (IsCall) // Another image's, or whoever it may be.
      Found |= reg::CallerSaved;
  }
  return Found;
}

RegisterSet RawCode::writes(const BinaryFunction &First) {
  if (const auto At = Known.find(&First); At != Known.end())
    return At->second;
  RegisterSet Found = 0;
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *> Next{&First};
  while (!Next.empty() && reg::CallerSaved & ~Found) {
    Function *BF = Next.pop_back_val();
    if (!Seen.insert(BF).second)
      continue;
    const auto At = Known.find(BF);
    Found |= At == Known.end() ? scan(*BF, Next) : At->second;
  }
  return Known[&First] = Found;
}

/// Looks at the instructions of \p BF in the order of their addresses, which
/// is not that of execution: of functions that somebody wrote by hand a read in
/// front may come behind a write. Adds whom it jumps to. False if a
/// register is read that nobody gave it.
bool RawCode::keepsABI(Function &BF, SmallVectorImpl<Function *> &Next) const {
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!Bytes)
    return false;
  RegisterSet Strange = reg::All & ~reg::Parameters & ~reg::Float;
  RegisterSet NotOnStack = reg::CalleeSaved;
  for (uint64_t At = 0, Size = 0; At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success)
      return false;
    const RegisterEffects E = Model.Registers.effects(Inst);
    const bool OnlyStores =
        BC.MII->get(Inst.getOpcode()).mayStore() && !(E.Writes & ~reg::RSP);
    const RegisterSet Kept = E.Reads & ~reg::RSP;
    if (OnlyStores && Kept && !(Kept & (Kept - 1)) && Kept & reg::CalleeSaved &&
        E.Reads & reg::RSP) {
      NotOnStack &= ~Kept;
      continue;
    }
    const RegisterSet Rest = E.Writes & ~E.Kills;
    if (E.Reads & Strange & ~Rest || E.Writes & NotOnStack)
      return false;
    const bool IsCall = BC.MIB->isCall(Inst);
    Strange &= ~(E.Writes | (IsCall ? reg::CallerSaved : 0));
    uint64_t To = 0;
    if (!(IsCall || BC.MIB->isBranch(Inst)) ||
        !BC.MIB->evaluateBranch(Inst, Address, Size, To))
      continue;
    const BinaryFunction *Callee = BC.getBinaryFunctionContainingAddress(To);
    // Who calls gives the callee what it reads.
    if (IsCall || !Callee || Callee == &BF || Callee->isPLTFunction())
      continue;
    if (Callee->getAddress() != To)
      return false;
    Next.push_back(Callee);
  }
  return true;
}

bool RawCode::isByABI(const BinaryFunction &First) {
  if (const auto At = ByABI.find(&First); At != ByABI.end())
    return At->second;
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *> Next{&First};
  bool Keeps = true;
  while (!Next.empty() && Keeps) {
    Function *BF = Next.pop_back_val();
    if (!Seen.insert(BF).second)
      continue;
    const auto At = ByABI.find(BF);
    Keeps = At == ByABI.end() ? keepsABI(*BF, Next) : At->second;
  }
  return ByABI[&First] = Keeps;
}
