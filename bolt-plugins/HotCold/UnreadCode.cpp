//===- HotCold/UnreadCode.cpp - Functions without a flow graph ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Disassemble a function once, from its first byte on (read).
// 2. Note for each instruction which registers it reads before they are
//    written, and changes before they are saved (noteRegisters), and its target
//    if it is a call or jump (noteTarget).
// 3. Join that along calls (writes) or along jumps (conventionOf).
//
//===----------------------------------------------------------------------===//

#include "UnreadCode.h"
#include "Support/Decoding.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

bool graupel::hasCode(const BinaryFunction &BF) {
  return BF.hasCFG() && !BF.empty() && !BF.isPLTFunction();
}

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

/// Notes registers that \p Inst reads or changes against the ABI.
void UnreadCode::noteRegisters(Reading &R, const MCInst &Inst) const {
  Code &Its = R.Result;
  const RegisterEffects E = Model.effects(Inst);
  Its.Writes |= E.Writes & ~reg::RSP;
  if (const RegisterSet Saved = savedBy(BC, Inst, E)) {
    R.Unsaved &= ~Saved;
    return;
  }
  // Writing a part of a register keeps the rest.
  const RegisterSet Strange = E.Reads & R.Unwritten & ~(E.Writes & ~E.Kills);
  Its.Own.Reads |= Strange & R.Unsaved;
  // A caller-saved register may be read as a variable that is set further down,
  // but not at the beginning. BSR only seems to read its result. A saved
  // register that nothing above sets is a parameter, as in Swift.
  if (R.HasBranched) {
    Its.ReadBefore |= Strange & ~reg::CalleeSaved;
    Its.Own.Reads |= Strange & reg::CalleeSaved;
  } else
    Its.Own.Reads |= Strange & ~E.Writes;
  Its.Own.Changes |= E.Writes & R.Unsaved;
  R.Unwritten &= ~E.Writes;
  R.AsksProcessor |= BC.MII->getName(Inst.getOpcode()) == "CPUID";
}

/// Notes the target of \p Inst at \p Address.
void UnreadCode::noteTarget(Reading &R, const BinaryFunction &BF,
                            const MCInst &Inst, uint64_t Address,
                            uint64_t Size) const {
  Code &Its = R.Result;
  const bool IsCall = BC.MIB->isCall(Inst), IsBranch = BC.MIB->isBranch(Inst);
  if (!IsCall && !IsBranch)
    return;
  R.HasBranched |= IsBranch;
  uint64_t Target = 0;
  const bool IsDirect = BC.MIB->evaluateBranch(Inst, Address, Size, Target);
  const BinaryFunction *To =
      IsDirect ? BC.getBinaryFunctionContainingAddress(Target) : nullptr;
  if (To == &BF && Target != BF.getAddress()) {
    // Thunks call their middle, and store their target there.
    R.CallsMiddle |= IsCall;
    return;
  }
  if (IsCall)
    R.Unwritten &= ~reg::CallerSaved;
  if (To == &BF)
    return;
  if (!To || To->isPLTFunction()) {
    // In another image, or unknown.
    Its.Writes |= IsCall ? reg::CallerSaved : 0;
    return;
  }
  Its.Callees.push_back(To);
  if (IsCall || To->isFragment()) // A part goes on with whatever is there.
    return;
  Its.JumpsTo.push_back(To);
  if (To->getAddress() != Target)
    Its.Own = OwnConvention::unknown();
}

/// Reads from the first byte to the last, or to an invalid instruction.
const UnreadCode::Code &UnreadCode::read(const BinaryFunction &BF) {
  const auto [At, IsNew] = Codes.try_emplace(&BF);
  Code &Its = At->second;
  const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!IsNew || !Bytes)
    return Its;
  Its.Own = OwnConvention();
  Reading R{Its};
  const uint64_t End =
      decodeInOrder(BC, *Bytes, BF.getAddress(),
                    [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                      noteRegisters(R, Inst);
                      noteTarget(R, BF, Inst, BF.getAddress() + Offset, Size);
                    });
  if (End != Bytes->size())
    Its.Own = OwnConvention::unknown();
  if (R.CallsMiddle)
    Its.Own.Reads |= reg::CalleeSaved & ~R.Unsaved;
  Its.Own.Reads |= Its.ReadBefore & ~Its.Writes;
  // Users of CPUID keep RBX in another register.
  if (R.AsksProcessor) {
    Its.Own.Reads &= ~reg::RBX;
    Its.Own.Changes &= ~reg::RBX;
  }
  return Its;
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
