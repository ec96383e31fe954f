//===- Protect/CallSites.cpp - What can throw in a function ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT takes for granted that only calls throw, and makes exception tables that
// cover nothing else. With -fnon-call-exceptions (the default of Ada and Go)
// loads, stores and divisions throw, too. The compiler does not leave a note of
// that, but a range of a table that holds no call gives it away. Once there is
// one in the program, no range that holds more than calls is trusted.
//
//===----------------------------------------------------------------------===//

#include "Driver/BoltInternals.h"
#include "Protected.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFDataExtractor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Functions with a range that holds something that may trap, and whether that
/// is all it holds.
static MapVector<BinaryFunction *, bool> FunctionsWithTraps;

/// Functions whose actions name types outside of the table of types, or whose
/// types could not be elsewhere.
static SetVector<BinaryFunction *> FunctionsWithStrangeTypes;

namespace {

// Longer chains are cycles.
constexpr unsigned MaxActions = 10000;

/// The ranges of one function's table.
class CallSiteReader {
public:
  CallSiteReader(BinaryFunction &BF, ArrayRef<uint8_t> Section,
                 uint64_t SectionAddress)
      : Base(SectionAddress),
        Data(StringRef(reinterpret_cast<const char *>(Section.data()),
                       Section.size()),
             /*IsLittleEndian=*/true, /*AddressSize=*/8),
        Offset(BF.getLSDAAddress() - SectionAddress) {
    if (const uint8_t Encoding = Data.getU8(&Offset);
        Encoding != dwarf::DW_EH_PE_omit)
      Data.getEncodedPointer(&Offset, Encoding, Base + Offset);
    TypeEncoding = Data.getU8(&Offset);
    if (TypeEncoding != dwarf::DW_EH_PE_omit) {
      TypesEnd = Data.getULEB128(&Offset);
      TypesEnd += Offset;
    }
    Encoding = Data.getU8(&Offset);
    End = Data.getULEB128(&Offset);
    End += Offset;
  }

  bool atEnd() const { return Offset >= End; }

  /// Offsets in the function of the next range's ends.
  std::pair<uint64_t, uint64_t> next() {
    const uint64_t Start = pointer(), Length = pointer();
    pointer(); // The landing pad.
    if (const uint64_t Action = Data.getULEB128(&Offset))
      readActions(End + Action - 1);
    return {Start, Start + Length};
  }

  /// Types grow downwards from their end, actions upwards to them.
  bool hasStrangeTypes() const {
    return FirstType < ActionsEnd || !canTypesMove();
  }

private:
  uint64_t Base;
  DWARFDataExtractor Data;
  uint64_t Offset;
  uint8_t Encoding = 0;
  uint64_t End = 0;
  uint8_t TypeEncoding = dwarf::DW_EH_PE_omit;
  uint64_t TypesEnd = 0, FirstType = UINT64_MAX, ActionsEnd = 0;

  unsigned typeSize() const {
    switch (TypeEncoding & 0x0f) {
    case dwarf::DW_EH_PE_udata2:
    case dwarf::DW_EH_PE_sdata2:
      return 2;
    case dwarf::DW_EH_PE_udata4:
    case dwarf::DW_EH_PE_sdata4:
      return 4;
    default:
      return 8;
    }
  }

  /// Distances that can only be positive, or short, do not reach the types from
  /// a table that BOLT puts elsewhere. No compiler uses them.
  bool canTypesMove() const {
    if (TypeEncoding == dwarf::DW_EH_PE_omit ||
        (TypeEncoding & 0x70) == dwarf::DW_EH_PE_absptr)
      return true;
    const uint8_t Format = TypeEncoding & 0x0f;
    return typeSize() == 8 || Format == dwarf::DW_EH_PE_sdata4;
  }

  /// The chain of records that begins at \p At.
  void readActions(uint64_t At) {
    if (TypeEncoding == dwarf::DW_EH_PE_omit)
      return;
    for (unsigned I = 0; I < MaxActions; ++I) {
      const int64_t Type = Data.getSLEB128(&At);
      if (Type > 0)
        FirstType = std::min(FirstType, TypesEnd - Type * typeSize());
      const uint64_t Here = At;
      const int64_t Next = Data.getSLEB128(&At);
      ActionsEnd = std::max(ActionsEnd, At);
      if (!Next)
        return;
      At = Here + Next;
    }
  }

  uint64_t pointer() {
    std::optional<uint64_t> Value =
        Data.getEncodedPointer(&Offset, Encoding, Base + Offset);
    if (!Value)
      Offset = End;
    return Value.value_or(0);
  }
};

} // namespace

/// True if the processor may find something wrong with \p Inst.
static bool mayTrap(const BinaryContext &BC, const MCInst &Inst) {
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  return !BC.MIB->isNoop(Inst) && !BC.MIB->isPrefix(Inst) &&
         !BC.MIB->isLEA64r(Inst) &&
         (Info.mayLoad() || Info.mayStore() || Info.hasUnmodeledSideEffects());
}

void graupel::noteCallSites(BinaryFunction &BF, ArrayRef<uint8_t> Section,
                            uint64_t SectionAddress) {
  if (!BF.getLSDAAddress())
    return;
  const BinaryContext &BC = BF.getBinaryContext();
  const auto &Instructions = BF.*member(internals::InstructionsTag());
  CallSiteReader Reader(BF, Section, SectionAddress);
  while (!Reader.atEnd()) {
    const auto [Start, End] = Reader.next();
    bool Calls = false, Traps = false;
    for (auto It = Instructions.lower_bound(Start);
         It != Instructions.end() && It->first < End; ++It)
      if (BC.MIB->isCall(It->second))
        Calls = true;
      else
        Traps |= mayTrap(BC, It->second);
    if (Traps)
      FunctionsWithTraps[&BF] |= !Calls;
  }
  if (Reader.hasStrangeTypes())
    FunctionsWithStrangeTypes.insert(&BF);
}

void graupel::protectThrowingTraps(ProtectedFunctions &Protected) {
  for (BinaryFunction *BF : FunctionsWithStrangeTypes)
    if (!BF->isIgnored())
      Protected.add(*BF, ProtectReason::StrangeTypes);
  if (none_of(FunctionsWithTraps, [](auto &Entry) { return Entry.second; }))
    return;
  for (auto &[BF, OnlyTraps] : FunctionsWithTraps)
    if (!BF->isIgnored())
      Protected.add(*BF, ProtectReason::TrapsThrow);
}
