//===- Protect/Gaps.cpp - Gaps between functions --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without relocations a function is written over itself, and BOLT fills with
// nops all that is between it and the next one. Some of this has a use: the
// nops before an entry that a patcher looks for, a type in front of a function,
// a constant of zeros. A gap is free only if
//
// 1. nothing that KnownPlaces found leads into it,
// 2. it is shorter than what the next function is aligned to, and
// 3. it is what assemblers and linkers fill gaps with: int3, or as few nops as
//    possible.
//
// Any other belongs to somebody: the function before it must not grow.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "Protected.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#define DEBUG_TYPE "graupel-protect"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

STATISTIC(NumKept, "Gaps between functions that are kept");

namespace {

/// No compiler aligns functions to more.
constexpr uint64_t MostAligned = 64;

/// True if \p Bytes at \p Address are nops, of which at most one has the length
/// of a byte: those of a patcher are many.
bool areFewNops(const BinaryContext &BC, ArrayRef<uint8_t> Bytes,
                uint64_t Address) {
  for (unsigned Short = 0; !Bytes.empty();) {
    MCInst Inst;
    uint64_t Size = 0;
    if (!BC.DisAsm->getInstruction(Inst, Size, Bytes, Address, nulls()) ||
        !BC.MIB->isNoop(Inst))
      return false;
    if (Size == 1 && Short++)
      return false;
    Bytes = Bytes.drop_front(Size);
    Address += Size;
  }
  return true;
}

bool isFree(const BinaryFunction &BF, ArrayRef<uint64_t> Known) {
  const BinaryContext &BC = BF.getBinaryContext();
  const uint64_t Begin = BF.getAddress() + BF.getSize();
  const uint64_t End = BF.getAddress() + BF.getMaxSize();
  const auto Place = llvm::lower_bound(Known, Begin);
  if (Place != Known.end() && *Place < End)
    return false;
  if (End - Begin >= std::min(MostAligned, End & -End))
    return false;
  const BinarySection *Home = BF.getOriginSection();
  if (!Home || !Home->containsRange(BF.getAddress(), BF.getMaxSize()))
    return false;
  const ErrorOr<ArrayRef<uint8_t>> Content = BF.getData();
  if (!Content)
    return false;
  const ArrayRef<uint8_t> Gap =
      Content->slice(BF.getSize(), BF.getMaxSize() - BF.getSize());
  return llvm::all_of(Gap, [](uint8_t Byte) { return Byte == 0xcc; }) ||
         areFewNops(BC, Gap, Begin);
}

} // namespace

void graupel::keepGaps(BinaryContext &BC) {
  if (BC.HasRelocations)
    return;
  std::vector<uint64_t> Known;
  for (const KnownPlace &Place : knownPlaces().Known)
    Known.push_back(Place.Target);
  llvm::sort(Known);
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (BF.getMaxSize() <= BF.getSize() || isFree(BF, Known))
      continue;
    BF.setMaxSize(BF.getSize());
    ++NumKept;
  }
}
