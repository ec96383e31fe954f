//===- HotCold/Proof/RawCode.cpp - Functions without a flow graph ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads functions without a flow graph from their bytes. An incomplete set is
// safe for writes(): callers are taken to rely on registers that nobody writes.
//
// 1. scan() decodes a function from the first byte to the last, or to bytes
//    that are no instruction.
// 2. look() notes the registers that an instruction writes, reads although
//    nothing has set them, or only puts on the stack.
// 3. follow() notes the callees and the functions in which control goes on. A
//    call of unknown code writes all registers that the caller saves.
// 4. scan() decides which liberties the function takes. They are all that there
//    are if its bytes cannot be decoded to the end, or if it leaves for the
//    middle of another function.
// 5. writes() adds up what is written by the function and all that it reaches.
//    liberties() does that for the functions in which control goes on.
//
//===----------------------------------------------------------------------===//

#include "RawCode.h"
#include "Support/Decoding.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

bool graupel::symbolic::isRead(const BinaryFunction &BF) {
  return BF.hasCFG() && !BF.empty() && !BF.isPLTFunction();
}

RegisterSet graupel::symbolic::putOnStack(const BinaryContext &BC,
                                          const MCInst &Inst,
                                          const RegisterEffects &E) {
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const RegisterSet Stored = E.Reads & ~reg::RSP;
  const bool Stores = Info.mayStore() && !Info.isCall() && E.Reads & reg::RSP &&
                      !(E.Writes & ~reg::RSP);
  return Stores && isPowerOf2_64(Stored) ? Stored & reg::CalleeSaved : 0;
}

/// The facts found in the bytes of one function so far.
struct RawCode::Progress {
  Contents &Found;
  RegisterSet Strange = NotGiven;
  RegisterSet NotOnStack = reg::CalleeSaved, Taken = 0, Changed = 0;
  RegisterSet Trusted = 0, Variables = 0;
  bool InFirstBlock = true, LeavesElsewhere = false, ReplacesAddress = false;
};

void RawCode::look(Progress &P, const MCInst &Inst) const {
  const RegisterEffects E = Model.Registers.effects(Inst);
  P.Found.Writes |= E.Writes & ~reg::RSP;
  // CPUID's users put RBX aside.
  if (BC.MII->getName(Inst.getOpcode()) == "CPUID")
    P.Trusted |= reg::RBX;
  if (const RegisterSet Kept = putOnStack(BC, Inst, E)) {
    P.NotOnStack &= ~Kept;
  } else {
    // Behind the first branch, caller-saved registers may hold variables, but a
    // saved register is set before it is read, if it is no parameter. An
    // instruction that changes its operand may ignore the old value.
    const RegisterSet New = E.Reads & P.Strange & ~(E.Writes & ~E.Kills);
    P.Taken |= New & P.NotOnStack;
    P.Taken |= P.InFirstBlock ? New & ~E.Writes : New & reg::CalleeSaved;
    P.Variables |= P.InFirstBlock ? 0 : New & ~reg::CalleeSaved;
    P.Changed |= E.Writes & P.NotOnStack;
  }
  P.Strange &= ~E.Writes;
}

void RawCode::follow(Progress &P, Function &BF, const MCInst &Inst,
                     uint64_t Address, uint64_t Size) const {
  const bool IsCall = BC.MIB->isCall(Inst);
  if (!IsCall && !BC.MIB->isBranch(Inst))
    return;
  P.InFirstBlock &= IsCall;
  uint64_t To = 0;
  const bool IsDirect = BC.MIB->evaluateBranch(Inst, Address, Size, To);
  const BinaryFunction *Callee =
      IsDirect ? BC.getBinaryFunctionContainingAddress(To) : nullptr;
  // A call of its own middle only puts an address on the stack, which another
  // may replace: no store there is a save.
  const bool IsMiddle = Callee == &BF && To != BF.getAddress();
  P.ReplacesAddress |= IsCall && IsMiddle;
  P.Strange &= ~(IsCall && !IsMiddle ? reg::CallerSaved : 0);
  if (!Callee || Callee->isPLTFunction()) {
    // In another image, or unknown.
    P.Found.Writes |= IsCall ? reg::CallerSaved : 0;
    return;
  }
  P.Found.Callees.push_back(Callee);
  // A caller passes the registers that its callee reads; a part has its
  // procedure's.
  if (IsCall || Callee == &BF || Callee->isFragment())
    return;
  P.Found.GoesOnIn.push_back(Callee);
  P.LeavesElsewhere |= Callee->getAddress() != To;
}

/// Scans in the order of addresses, which is not that of execution: in
/// functions written by hand, a read may be executed after a write further
/// down.
const RawCode::Contents &RawCode::scan(Function &BF) {
  const auto [Its, IsNew] = Scanned.try_emplace(&BF);
  Contents &Found = Its->second;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!IsNew || !Bytes)
    return Found;
  Progress P{Found};
  const uint64_t End =
      decodeInOrder(BC, *Bytes, BF.getAddress(),
                    [&](const MCInst &Inst, uint64_t At, uint64_t Size) {
                      look(P, Inst);
                      follow(P, BF, Inst, BF.getAddress() + At, Size);
                    });
  if (End != Bytes->size())
    return Found;
  Found.TakenByOrder = P.Variables;
  if (P.ReplacesAddress)
    P.Taken |= reg::CalleeSaved & ~P.NotOnStack;
  if (!P.LeavesElsewhere)
    Found.Its = {(P.Taken | (P.Variables & ~Found.Writes)) & ~P.Trusted,
                 P.Changed & ~P.Trusted};
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
