//===- Protect/EndAddresses.cpp - References to ends of functions --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT 22 takes a reference to the place where a function ends for one to the
// function, and loses the difference: the address becomes that of its
// beginning. Such a place is the beginning of data behind code that is among
// data, or a label at the end of a section.
//
// 1. Such a relocation is forgotten: what it names does not move.
// 2. The function stays, so that its end is where the program looks for it.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "llvm/BinaryFormat/ELF.h"
#include <set>
#include <utility>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::set<const BinaryFunction *> FunctionsWithKnownEnds;

bool graupel::hasKnownEnd(const BinaryFunction &BF) {
  return FunctionsWithKnownEnds.count(&BF);
}

/// Whether \p R, at \p Place, names a function whose end is what is written
/// there.
static bool meansEnd(BinaryContext &BC, const Relocation &R, uint64_t Place) {
  if (R.Type != ELF::R_X86_64_32 && R.Type != ELF::R_X86_64_32S &&
      R.Type != ELF::R_X86_64_64)
    return false;
  const unsigned Size = R.Type == ELF::R_X86_64_64 ? 8 : 4;
  const ErrorOr<uint64_t> Written = BC.getUnsignedValueAtAddress(Place, Size);
  const BinaryFunction *BF =
      R.Symbol ? BC.getFunctionForSymbol(R.Symbol) : nullptr;
  if (!Written || !BF || R.Symbol != BF->getSymbol() || !BF->getSize())
    return false;
  const uint64_t Begin = BF->getAddress() + R.Addend;
  if (*Written == Begin || *Written != Begin + BF->getSize())
    return false;
  FunctionsWithKnownEnds.insert(BF);
  return true;
}

static void keepInData(BinaryContext &BC) {
  for (BinarySection &Section : BC.allocatableSections()) {
    std::vector<uint64_t> Kept;
    for (const Relocation &R : Section.relocations())
      if (meansEnd(BC, R, Section.getAddress() + R.Offset))
        Kept.push_back(R.Offset);
    for (uint64_t Offset : Kept)
      Section.removeRelocationAt(Offset);
  }
}

void graupel::keepEndAddresses(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  static bool Done;
  if (!std::exchange(Done, true))
    keepInData(BC);
  auto &Relocations = BF.*member(internals::RelocationsTag());
  for (auto It = Relocations.begin(); It != Relocations.end();)
    It = meansEnd(BC, It->second, BF.getAddress() + It->first)
             ? Relocations.erase(It)
             : std::next(It);
}
