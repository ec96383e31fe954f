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

/// In the order of addresses, which is not that of execution: of functions that
/// somebody wrote by hand a read in front may come behind a write.
const RawCode::Contents &RawCode::scan(Function &BF) {
  const auto [Its, IsNew] = Scanned.try_emplace(&BF);
  Contents &Found = Its->second;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!IsNew || !Bytes)
    return Found;
  RegisterSet Strange = reg::All & ~reg::Parameters & ~reg::Float;
  RegisterSet NotOnStack = reg::CalleeSaved, Taken = 0, Changed = 0;
  RegisterSet Trusted = 0, Variables = 0;
  bool InFirstBlock = true, LeavesElsewhere = false, ReplacesAddress = false;
  uint64_t Size = 0;
  for (uint64_t At = 0; At < Bytes->size(); At += Size) {
    MCInst Inst;
    const uint64_t Address = BF.getAddress() + At;
    if (BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                  nulls()) != MCDisassembler::Success)
      return Found;
    const RegisterEffects E = Model.Registers.effects(Inst);
    const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
    Found.Writes |= E.Writes & ~reg::RSP;
    const RegisterSet Kept = E.Reads & ~reg::RSP;
    const bool IsSave = Info.mayStore() && !Info.isCall() &&
                        !(E.Writes & ~reg::RSP) && E.Reads & reg::RSP &&
                        isPowerOf2_64(Kept) && Kept & reg::CalleeSaved;
    const bool IsCall = BC.MIB->isCall(Inst);
    if (IsSave) {
      NotOnStack &= ~Kept;
    } else {
      // Behind the first branch, variables may be in what is the function's
      // own. An instruction that changes its operand may not care for it.
      const RegisterSet New = E.Reads & Strange & ~(E.Writes & ~E.Kills);
      Taken |= New & NotOnStack;
      Taken |= InFirstBlock ? New & ~E.Writes : 0;
      Variables |= InFirstBlock ? 0 : New & ~reg::CalleeSaved;
      Changed |= E.Writes & NotOnStack;
    }
    // CPUID's users put RBX aside.
    if (BC.MII->getName(Inst.getOpcode()) == "CPUID")
      Trusted |= reg::RBX;
    Strange &= ~E.Writes;
    if (!IsCall && !BC.MIB->isBranch(Inst))
      continue;
    InFirstBlock &= IsCall;
    uint64_t To = 0;
    const bool IsDirect = BC.MIB->evaluateBranch(Inst, Address, Size, To);
    const BinaryFunction *Callee =
        IsDirect ? BC.getBinaryFunctionContainingAddress(To) : nullptr;
    // A call of its own code only puts an address on the stack, which another
    // may replace: no store there is a save.
    ReplacesAddress |= IsCall && Callee == &BF;
    Strange &= ~(IsCall && Callee != &BF ? reg::CallerSaved : 0);
    if (!Callee || Callee->isPLTFunction()) {
      // Another image's, or whoever it may be.
      Found.Writes |= IsCall ? reg::CallerSaved : 0;
      continue;
    }
    Found.Callees.push_back(Callee);
    // Who calls gives the callee what it reads; a part has its procedure's.
    if (IsCall || Callee == &BF || Callee->isFragment())
      continue;
    Found.GoesOnIn.push_back(Callee);
    LeavesElsewhere |= Callee->getAddress() != To;
  }
  Found.TakenByOrder = Variables;
  if (ReplacesAddress)
    Taken |= reg::CalleeSaved & ~NotOnStack;
  if (!LeavesElsewhere)
    Found.Its = {(Taken | (Variables & ~Found.Writes)) & ~Trusted,
                 Changed & ~Trusted};
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
    if (const auto At = Known.find(BF); At != Known.end()) {
      Found |= At->second;
      continue;
    }
    const Contents &Its = scan(*BF);
    Found |= Its.Writes;
    Next.append(Its.Callees.begin(), Its.Callees.end());
  }
  return Known[&First] = Found;
}

RawCode::Liberties RawCode::liberties(const BinaryFunction &First,
                                      bool ByOrder) {
  Liberties All{0, 0};
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *> Next{&First};
  while (!Next.empty()) {
    Function *BF = Next.pop_back_val();
    if (!Seen.insert(BF).second)
      continue;
    const Contents &Scanned = scan(*BF);
    All.Taken |= Scanned.Its.Taken | (ByOrder ? Scanned.TakenByOrder : 0);
    All.Changed |= Scanned.Its.Changed;
    Next.append(Scanned.GoesOnIn.begin(), Scanned.GoesOnIn.end());
  }
  return All;
}
