//===- Copies/StraightCode.cpp - Decoding without a doubt -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Decode a function, or what is between two, from its first byte on (decode).
// 2. It is decoded if all bytes are instructions and its own branches lead to
//    their beginnings. It is sound if nothing else in the file leads elsewhere.
// 3. What was found among its bytes is real unless it is sound and no operand of
//    the instruction there (isReal).
//
//===----------------------------------------------------------------------===//

#include "StraightCode.h"
#include "Support/Decoding.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static ArrayRef<uint8_t> bytesOf(const BinarySection &Home, uint64_t Begin,
                                 uint64_t End) {
  const StringRef Bytes = Home.getContents();
  return ArrayRef(Bytes.bytes_begin(), Bytes.size())
      .slice(Begin - Home.getAddress(), End - Begin);
}

/// Whether what is before \p Address may begin LEA, PUSH, or MOV, CMP and the
/// like with a constant.
static bool isTaken(const BinarySection &Home, uint64_t Address) {
  const StringRef Before =
      Home.getContents().take_front(Address - Home.getAddress());
  auto byte = [&](size_t Distance) -> uint8_t {
    return Distance <= Before.size() ? Before[Before.size() - Distance] : 0;
  };
  const bool IsInRegister = (byte(1) & 0xf8) == 0xb8;
  const bool IsAddress =
      (byte(2) == 0x8d && (byte(1) & 0xc7) == 0x05) ||
      (byte(3) == 0x8d && (byte(2) & 0xc7) == 0x04 && byte(1) == 0x25);
  // Behind the operation: ModRM, SIB, and 0, 1 or 4 bytes of displacement.
  auto isOperation = [&](size_t Distance) {
    return byte(Distance) == 0xc7 || byte(Distance) == 0x81;
  };
  // ADD to CMP and TEST with RAX. Without REX this would often be a ModRM.
  const bool IsWithRAX =
      byte(2) == 0x48 && ((byte(1) & 0xc7) == 0x05 || byte(1) == 0xa9);
  return IsInRegister || IsAddress || IsWithRAX || byte(1) == 0x68 ||
         llvm::any_of(ArrayRef<size_t>{2, 3, 4, 6, 7}, isOperation);
}

/// Entries of proved tables count from there, and not from themselves.
bool StraightCode::isInTable(uint64_t Address) const {
  const auto Next = Tables.upper_bound(Address);
  return Next != Tables.begin() && Address < std::prev(Next)->second;
}

bool StraightCode::isReal(const KnownAddresses::Hit &Hit) {
  if (isInTable(Hit.At))
    return false;
  const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
  if (!Home || !Home->isText())
    return true;
  if (Home->getName().starts_with(".plt"))
    return false; // Its stubs lead to data.
  const Code &C = codeAround(*Home, Hit.At);
  const auto Inst = llvm::upper_bound(C.Begins, Hit.At);
  return !C.IsSound || Inst == C.Begins.begin() ||
         leadsTo(*Home, *std::prev(Inst), Hit.Target);
}

bool StraightCode::isCall(const KnownAddresses::Hit &Hit) {
  constexpr uint8_t Call = 0xe8;
  const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
  if (!Home || !Home->isText() || Home->getAddress() == Hit.At)
    return false;
  const uint64_t Begin = Hit.At - 1;
  const Code &C = codeAround(*Home, Begin);
  return C.IsDecoded && llvm::binary_search(C.Begins, Begin) &&
         bytesOf(*Home, Begin, Hit.At)[0] == Call;
}

bool StraightCode::isWhole(const KnownAddresses::Hit &Hit) const {
  const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Hit.At);
  if (!BC.HasFixedLoadAddress || !Home)
    return true;
  if (Home->isText())
    return isTaken(*Home, Hit.At);
  if (const ErrorOr<uint64_t> Number = BC.getPointerAtAddress(Hit.At);
      Number && *Number == Hit.Target)
    return true;
  constexpr uint64_t Size = sizeof(uint32_t);
  // A distance, of a table.
  if (const ErrorOr<uint64_t> Number =
          BC.getUnsignedValueAtAddress(Hit.At, Size);
      Number && *Number != Hit.Target)
    return true;
  auto isCode = [&](uint64_t At) {
    const ErrorOr<uint64_t> Number = BC.getUnsignedValueAtAddress(At, Size);
    const ErrorOr<BinarySection &> Target =
        Number ? BC.getSectionForAddress(*Number)
               : std::make_error_code(std::errc::bad_address);
    return Target && Target->isText();
  };
  return Hit.At % Size == 0 && (isCode(Hit.At - Size) || isCode(Hit.At + Size));
}

bool StraightCode::isSound(const BinaryFunction &BF) {
  return codeAround(*BF.getOriginSection(), BF.getAddress()).IsSound;
}

/// The function that \p Address is in, or what is between two.
const StraightCode::Code &StraightCode::codeAround(const BinarySection &Home,
                                                   uint64_t Address) {
  uint64_t Begin = Home.getAddress(), End = Home.getEndAddress();
  const auto &Functions = BC.getBinaryFunctions();
  const auto Next = Functions.upper_bound(Address);
  if (Next != Functions.end())
    End = std::min(End, Next->first);
  if (Next != Functions.begin() && std::prev(Next)->first >= Begin) {
    const BinaryFunction &Before = std::prev(Next)->second;
    const uint64_t Behind = Before.getAddress() + Before.getSize();
    Begin = Address < Behind ? Before.getAddress() : Behind;
    End = Address < Behind ? std::min(End, Behind) : End;
  }
  const auto [At, IsNew] = Codes.try_emplace(Begin);
  if (IsNew)
    decode(Home, Begin, End, At->second);
  return At->second;
}

void StraightCode::decode(const BinarySection &Home, uint64_t Begin,
                          uint64_t End, Code &C) const {
  std::vector<uint64_t> Targets;
  const uint64_t Done = decodeInOrder(
      BC, bytesOf(Home, Begin, End), Begin,
      [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
        C.Begins.push_back(Begin + Offset);
        uint64_t Target = 0;
        if (BC.MIB->isBranch(Inst) &&
            BC.MIB->evaluateBranch(Inst, Begin + Offset, Size, Target) &&
            Target >= Begin && Target < End)
          Targets.push_back(Target);
      });
  auto isInside = [&](uint64_t Target) {
    return !llvm::binary_search(C.Begins, Target);
  };
  // What is in the code itself may be none of its operands.
  auto isOthers = [&](const KnownAddresses::Hit &Hit) {
    return (Hit.At < Begin || Hit.At >= End) && isInside(Hit.Target);
  };
  auto isWholeOfOthers = [&](const KnownAddresses::Hit &Hit) {
    return isOthers(Hit) && isWhole(Hit);
  };
  C.IsDecoded = Done == End - Begin && llvm::none_of(Targets, isInside);
  C.IsSound = C.IsDecoded && !Known.isBranchedTo(Begin, End, isOthers) &&
              !Known.isAddress(Begin, End, isWholeOfOthers);
}

/// Whether an operand of the instruction at \p Address is \p Target.
bool StraightCode::leadsTo(const BinarySection &Home, uint64_t Address,
                           uint64_t Target) const {
  MCInst Inst;
  uint64_t Size = 0, Found = 0;
  if (BC.DisAsm->getInstruction(Inst, Size,
                                bytesOf(Home, Address, Home.getEndAddress()),
                                Address, nulls()) != MCDisassembler::Success)
    return true;
  if (BC.MIB->isBranch(Inst) || BC.MIB->isCall(Inst))
    if (BC.MIB->evaluateBranch(Inst, Address, Size, Found))
      return Found == Target;
  if (BC.MIB->hasPCRelOperand(Inst) &&
      BC.MIB->evaluateMemOperandTarget(Inst, Found, Address, Size) &&
      Found == Target)
    return true;
  return llvm::any_of(Inst, [&](const MCOperand &Operand) {
    return Operand.isImm() && (uint64_t(Operand.getImm()) == Target ||
                               uint32_t(Operand.getImm()) == Target);
  });
}
