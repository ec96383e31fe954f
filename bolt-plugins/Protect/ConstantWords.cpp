//===- Protect/ConstantWords.cpp - Addresses in memory --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantWords.h"
#include "KnownPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

std::optional<uint64_t> graupel::placeOfWord(
    const BinaryContext &BC,
    const std::optional<MCPlusBuilder::X86MemOperand> &Operand) {
  if (!Operand || !Operand->DispExpr ||
      Operand->IndexRegNum != BC.MIB->getNoRegister() ||
      (Operand->BaseRegNum != BC.MIB->getNoRegister() &&
       Operand->BaseRegNum != BC.MRI->getProgramCounter()))
    return std::nullopt;
  const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(Operand->DispExpr);
  const BinaryData *Data =
      Symbol ? BC.getBinaryDataByName(Symbol->getName()) : nullptr;
  if (!Data)
    return std::nullopt;
  return Data->getAddress() + Addend;
}

uint64_t graupel::addressAt(const BinaryContext &BC, uint64_t Word) {
  const auto &Chosen = knownPlaces().Chosen; // BOLT knows not all of them.
  if (const auto It = llvm::lower_bound(Chosen, std::pair(Word, uint64_t(0)));
      It != Chosen.end() && It->first == Word)
    return It->second;
  const Relocation *R = BC.getDynamicRelocationAt(Word);
  if (R && !R->Symbol)
    return R->Addend;
  const BinaryFunction *Target =
      R ? BC.getFunctionForSymbol(R->Symbol) : nullptr;
  if (R)
    return Target ? Target->getAddress() + R->Addend : 0;
  const ErrorOr<uint64_t> Number = BC.getPointerAtAddress(Word);
  return Number ? *Number : 0;
}

BinaryFunction *graupel::functionLoaded(BinaryContext &BC, const MCInst &Inst) {
  static constexpr StringLiteral ConstantSections[] = {".data.rel.ro",
                                                       ".rodata", ".got"};
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  if (!Info.mayLoad() || Info.mayStore() || BC.MIB->isCall(Inst) ||
      BC.MIB->isBranch(Inst))
    return nullptr;
  const std::optional<uint64_t> Word =
      placeOfWord(BC, BC.MIB->evaluateX86MemoryOperand(Inst));
  const ErrorOr<BinarySection &> Home =
      Word ? BC.getSectionForAddress(*Word)
           : ErrorOr<BinarySection &>(std::errc::bad_address);
  if (!Home || none_of(ConstantSections, [&](StringRef Name) {
        return Home->getName().starts_with(Name);
      }))
    return nullptr;
  BinaryFunction *Target = BC.getBinaryFunctionAtAddress(addressAt(BC, *Word));
  return Target && !Target->isPLTFunction() ? Target : nullptr;
}
