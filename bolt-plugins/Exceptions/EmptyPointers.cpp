//===- Exceptions/EmptyPointers.cpp - Pointers that lead nowhere ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer of an unwind record whose bytes are 0 means nothing, whatever it is
// relative to. A compiler that writes the records itself
// (-fno-dwarf2-cfi-asm) gives all of them one description, with a pointer to an
// exception table, and functions that have no table get such a 0. BOLT takes
// one that is relative to its place for a pointer to that place.
//
//   1. When a record is read, a table or a routine inside of .eh_frame is none.
//   2. When BOLT makes the copy of .eh_frame that keeps pointing to where the
//      original does, those pointers stay 0. Whole words that are relative to
//      their place, which it leaves out, are patched, too.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/Exceptions.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFDataExtractor.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Nothing that a record may point to is among the records.
static bool isAmongRecords(const BinaryContext &BC, uint64_t Address) {
  const ErrorOr<const BinarySection &> Home = BC.getSectionForAddress(Address);
  return Home && Home->getName() == ".eh_frame";
}

void graupel::dropEmptyPointers(BinaryFunction &BF,
                                const CFIReaderWriter &Reader) {
  const BinaryContext &BC = BF.getBinaryContext();
  if (isAmongRecords(BC, BF.getLSDAAddress()))
    BF.setLSDAAddress(0);
  const auto It = Reader.getFDEs().find(BF.getAddress());
  if (It == Reader.getFDEs().end())
    return;
  const std::optional<uint64_t> Routine =
      It->second->getLinkedCIE()->getPersonalityAddress();
  if (Routine && (!*Routine || isAmongRecords(BC, *Routine)))
    BF.*member(internals::PersonalityFunctionTag()) = nullptr;
}

std::function<void(uint64_t, uint64_t, uint64_t)> graupel::patchPointersOnly(
    const DWARFDataExtractor &Data,
    std::function<void(uint64_t, uint64_t, uint64_t)> Patch) {
  return [&Data, Patch = std::move(Patch)](uint64_t Value, uint64_t End,
                                           uint64_t Encoding) {
    if (Encoding == dwarf::DW_EH_PE_omit)
      return;
    if ((Encoding & 0x70) == dwarf::DW_EH_PE_pcrel &&
        (Encoding & 0x0f) == dwarf::DW_EH_PE_absptr)
      Encoding |= dwarf::DW_EH_PE_sdata8;
    const bool IsWide = (Encoding & 0x0f) == dwarf::DW_EH_PE_sdata8 ||
                        (Encoding & 0x0f) == dwarf::DW_EH_PE_udata8 ||
                        (Encoding & 0x0f) == dwarf::DW_EH_PE_absptr;
    uint64_t Place = End - (IsWide ? 8 : 4);
    const uint64_t Bytes = IsWide ? Data.getU64(&Place) : Data.getU32(&Place);
    if (Bytes)
      Patch(Value, End, Encoding);
  };
}
