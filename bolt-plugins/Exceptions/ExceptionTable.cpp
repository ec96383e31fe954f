//===- Exceptions/ExceptionTable.cpp - One exception table ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The header: base of landing pads, encoding of types and their end,
//    encoding and size of the list of call sites.
// 2. The call sites, up to that size.
// 3. From each call site the chain of action records. The table does not say
//    how many records there are; those that are reached are the table.
// 4. The types that the records name, downwards from their end, and the lists
//    of exception specifications, upwards from there.
//
// Every step checks that it stays inside of the section.
//
// Reference: Itanium C++ ABI, Exception Handling Tables; LSB Core, 10.5.1 for
// the encodings.
//
//===----------------------------------------------------------------------===//

#include "ExceptionTable.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

// Longer chains are cycles.
constexpr unsigned MaxChain = 10000;
// More types than that are none.
constexpr uint64_t MaxTypes = 1 << 20;

/// Bytes at addresses. Bytes outside read as 0, and that is remembered.
class Reader {
public:
  Reader(ArrayRef<uint8_t> Bytes, uint64_t Base) : Bytes(Bytes), Base(Base) {}

  bool failed() const { return Failed; }
  void fail() { Failed = true; }

  uint64_t fixed(uint64_t &At, unsigned Size) {
    if (At < Base || At - Base > Bytes.size() ||
        Bytes.size() - (At - Base) < Size)
      return Failed = true, 0;
    uint64_t Value = 0;
    for (unsigned I = 0; I < Size; ++I)
      Value |= uint64_t(Bytes[At - Base + I]) << (8 * I);
    At += Size;
    return Value;
  }

  uint64_t uleb(uint64_t &At) { return leb<uint64_t>(At, decodeULEB128); }
  int64_t sleb(uint64_t &At) { return leb<int64_t>(At, decodeSLEB128); }

  /// A pointer that is not followed even if it is indirect. As unwinders do
  /// it, zero stays zero whatever it is relative to.
  uint64_t pointer(uint64_t &At, uint8_t Encoding) {
    const uint64_t Here = At;
    const uint64_t Value = number(At, Encoding & 0x0f);
    switch (Encoding & 0x70) {
    case dwarf::DW_EH_PE_absptr:
      return Value;
    case dwarf::DW_EH_PE_pcrel:
      return Value ? Here + Value : 0;
    default:
      return Failed = true, 0;
    }
  }

  ArrayRef<uint8_t> slice(uint64_t Begin, uint64_t End) {
    if (Begin > End || Begin < Base || End - Base > Bytes.size())
      return Failed = true, ArrayRef<uint8_t>();
    return Bytes.slice(Begin - Base, End - Begin);
  }

private:
  ArrayRef<uint8_t> Bytes;
  uint64_t Base;
  bool Failed = false;

  template <typename T, typename DecoderT>
  T leb(uint64_t &At, DecoderT Decode) {
    if (At < Base || At - Base >= Bytes.size())
      return Failed = true, 0;
    unsigned Size = 0;
    const char *Problem = nullptr;
    const T Value =
        Decode(Bytes.data() + (At - Base), &Size, Bytes.end(), &Problem);
    if (Problem)
      return Failed = true, 0;
    At += Size;
    return Value;
  }

  uint64_t number(uint64_t &At, uint8_t Format) {
    switch (Format) {
    case dwarf::DW_EH_PE_absptr:
    case dwarf::DW_EH_PE_udata8:
    case dwarf::DW_EH_PE_sdata8:
      return fixed(At, 8);
    case dwarf::DW_EH_PE_udata4:
      return fixed(At, 4);
    case dwarf::DW_EH_PE_sdata4:
      return int64_t(int32_t(fixed(At, 4)));
    case dwarf::DW_EH_PE_udata2:
      return fixed(At, 2);
    case dwarf::DW_EH_PE_sdata2:
      return int64_t(int16_t(fixed(At, 2)));
    case dwarf::DW_EH_PE_uleb128:
      return uleb(At);
    case dwarf::DW_EH_PE_sleb128:
      return sleb(At);
    default:
      return Failed = true, 0;
    }
  }
};

class TableReader {
public:
  TableReader(ArrayRef<uint8_t> Section, uint64_t SectionAddress)
      : In(Section, SectionAddress) {}

  Expected<ExceptionTable> read(uint64_t At, uint64_t Function) {
    readHeader(At, Function);
    readCallSites(At);
    for (const ExceptionTable::CallSite &Site : Table.CallSites)
      if (Site.Action)
        readChain(ActionsBegin + Site.Action - 1);
    Table.Actions = In.slice(ActionsBegin, ActionsEnd);
    readTypes();
    if (In.failed())
      return createStringError("the exception table is damaged or of an "
                               "unknown kind");
    return std::move(Table);
  }

private:
  Reader In;
  ExceptionTable Table;
  uint64_t PadBase = 0, TypesEnd = 0;
  uint8_t SiteEncoding = 0;
  uint64_t SitesEnd = 0, ActionsBegin = 0, ActionsEnd = 0;
  uint64_t NumTypes = 0, FilterSize = 0;

  // Step 1.
  void readHeader(uint64_t &At, uint64_t Function) {
    const uint8_t BaseEncoding = In.fixed(At, 1);
    PadBase = BaseEncoding == dwarf::DW_EH_PE_omit
                  ? Function
                  : In.pointer(At, BaseEncoding);
    Table.TypeEncoding = In.fixed(At, 1);
    if (Table.TypeEncoding != dwarf::DW_EH_PE_omit) {
      TypesEnd = In.uleb(At);
      TypesEnd += At;
    }
    SiteEncoding = In.fixed(At, 1);
    SitesEnd = In.uleb(At);
    SitesEnd += At;
    ActionsBegin = ActionsEnd = SitesEnd;
    if (SitesEnd < At)
      In.fail();
  }

  // Step 2.
  void readCallSites(uint64_t At) {
    while (At < SitesEnd && !In.failed()) {
      ExceptionTable::CallSite Site;
      Site.Begin = In.pointer(At, SiteEncoding);
      Site.End = Site.Begin + In.pointer(At, SiteEncoding);
      Site.LandingPad = In.pointer(At, SiteEncoding);
      if (Site.LandingPad)
        Site.LandingPad += PadBase;
      Site.Action = In.uleb(At);
      Table.CallSites.push_back(Site);
    }
  }

  // Step 3.
  void readChain(uint64_t At) {
    for (unsigned I = 0; I < MaxChain && !In.failed(); ++I) {
      const int64_t Type = In.sleb(At);
      if (Type > 0)
        NumTypes = std::max(NumTypes, uint64_t(Type));
      if (Type < 0)
        readFilter(TypesEnd - Type - 1);
      const uint64_t Here = At;
      const int64_t Next = In.sleb(At);
      ActionsEnd = std::max(ActionsEnd, At);
      if (!Next)
        return;
      At = Here + Next;
    }
    In.fail();
  }

  void readFilter(uint64_t At) {
    while (uint64_t Type = In.uleb(At))
      NumTypes = std::max(NumTypes, Type);
    FilterSize = std::max(FilterSize, At - TypesEnd);
  }

  // Step 4.
  void readTypes() {
    if (Table.TypeEncoding == dwarf::DW_EH_PE_omit) {
      if (NumTypes || FilterSize)
        In.fail();
      return;
    }
    const unsigned Size = typeEntrySize(Table.TypeEncoding);
    if (!Size || NumTypes > MaxTypes ||
        TypesEnd - ActionsEnd < NumTypes * Size || TypesEnd < ActionsEnd)
      return In.fail();
    for (uint64_t I = 1; I <= NumTypes && !In.failed(); ++I) {
      uint64_t At = TypesEnd - I * Size;
      Table.Types.push_back(In.pointer(At, Table.TypeEncoding & 0x7f));
    }
    Table.Filters = In.slice(TypesEnd, TypesEnd + FilterSize);
    // Distances that can only be positive, or short, do not reach the types
    // from a table elsewhere. No compiler uses them.
    if ((Table.TypeEncoding & 0x70) == dwarf::DW_EH_PE_pcrel)
      Table.CanTypesMove =
          Size == 8 || (Table.TypeEncoding & 0x0f) == dwarf::DW_EH_PE_sdata4;
  }
};

} // namespace

unsigned graupel::typeEntrySize(uint8_t Encoding) {
  switch (Encoding & 0x0f) {
  case dwarf::DW_EH_PE_absptr:
  case dwarf::DW_EH_PE_udata8:
  case dwarf::DW_EH_PE_sdata8:
    return 8;
  case dwarf::DW_EH_PE_udata4:
  case dwarf::DW_EH_PE_sdata4:
    return 4;
  case dwarf::DW_EH_PE_udata2:
  case dwarf::DW_EH_PE_sdata2:
    return 2;
  default:
    return 0;
  }
}

Expected<ExceptionTable> graupel::readExceptionTable(ArrayRef<uint8_t> Section,
                                                     uint64_t SectionAddress,
                                                     uint64_t TableAddress,
                                                     uint64_t FunctionAddress) {
  return TableReader(Section, SectionAddress)
      .read(TableAddress, FunctionAddress);
}
