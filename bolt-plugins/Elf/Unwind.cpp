//===- Elf/Unwind.cpp - Reads .eh_frame and LSDAs ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two readers that believe nothing: FrameReader goes through the records of
// .eh_frame, TableReader through one LSDA. Data outside of the section, or of
// the code that it is about, is an error that names the place.
//
// 1. FrameReader::readRecord() checks the length of a record and tells CIEs
//    from FDEs.
// 2. readCIE() reads the encodings of pointers and the initial instructions,
//    and keeps them by the offset of the CIE. It refuses unknown versions,
//    augmentations and encodings.
// 3. readFDE() finds the CIE, reads the range of code, the LSDA's address and
//    the call frame instructions, and adds a FrameRecord.
// 4. TableReader::readTable() reads the header of an LSDA: the base of landing
//    pads, the types and the bounds of the call sites.
// 5. readSite() reads a call site. It has to be inside of the code and behind
//    the one before, and its landing pad has to be code.
// 6. readActions() follows the chain of its actions. It checks each filter and
//    adds the types that it stands for to the site's handlers.
//
//===----------------------------------------------------------------------===//

#include "Unwind.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include <map>
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

constexpr StringLiteral Damaged = "the file is damaged, link it again";
// No compiler chains more handlers for one call.
constexpr unsigned MaxActions = 10000;

using Cursor = DataExtractor::Cursor;

/// The number at \p C in the DWARF encoding \p Encoding, an address if it is
/// relative. \p Base is the address of the start of \p Data. The pointer that
/// an indirect one leads to is not followed.
uint64_t readEncoded(const DataExtractor &Data, Cursor &C, uint8_t Encoding,
                     uint64_t Base) {
  const uint64_t Place = Base + C.tell();
  uint64_t Value = 0;
  switch (Encoding & 0x0f) {
  case dwarf::DW_EH_PE_absptr:
  case dwarf::DW_EH_PE_udata8:
  case dwarf::DW_EH_PE_sdata8:
    Value = Data.getU64(C);
    break;
  case dwarf::DW_EH_PE_uleb128:
    Value = Data.getULEB128(C);
    break;
  case dwarf::DW_EH_PE_sleb128:
    Value = Data.getSLEB128(C);
    break;
  case dwarf::DW_EH_PE_udata2:
    Value = Data.getU16(C);
    break;
  case dwarf::DW_EH_PE_sdata2:
    Value = int16_t(Data.getU16(C));
    break;
  case dwarf::DW_EH_PE_udata4:
    Value = Data.getU32(C);
    break;
  case dwarf::DW_EH_PE_sdata4:
    Value = int32_t(Data.getU32(C));
    break;
  }
  // Zero means that there is nothing, whatever it is relative to.
  return Value && (Encoding & 0x70) == dwarf::DW_EH_PE_pcrel ? Place + Value
                                                             : Value;
}

bool isKnown(uint8_t Encoding) {
  if (Encoding == dwarf::DW_EH_PE_omit)
    return true;
  const uint8_t Format = Encoding & 0x0f, Application = Encoding & 0x70;
  return Format != 5 && Format != 6 && Format != 7 && Format <= 12 &&
         Format != 8 && (!Application || Application == dwarf::DW_EH_PE_pcrel);
}

/// Pointers of records that are relative to their place are distances of 4 or 8
/// bytes; nothing else can lead from one part of a program to another.
bool isKnownOfRecord(uint8_t Encoding) {
  const uint8_t Format = Encoding & 0x07;
  return isKnown(Encoding) &&
         (Encoding == dwarf::DW_EH_PE_omit || !(Encoding & 0x70) ||
          Format == dwarf::DW_EH_PE_absptr ||
          Format == dwarf::DW_EH_PE_udata4 || Format == dwarf::DW_EH_PE_udata8);
}

unsigned sizeOf(uint8_t Encoding) {
  switch (Encoding & 0x0f) {
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

/// The encodings that a CIE gives for its FDEs.
struct Encodings {
  uint8_t Address = dwarf::DW_EH_PE_absptr;
  uint8_t LSDA = dwarf::DW_EH_PE_omit;
  bool HasAugmentation = false;
  FrameCommon Common;
};

class FrameReader {
public:
  FrameReader(const ElfView &File, const ElfView::Section &S)
      : File(File), S(S), Bytes(File.content(S)),
        Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  Expected<std::vector<FrameRecord>> read() {
    for (uint64_t At = 0; At + 4 <= Bytes.size();)
      if (Error E = readRecord(At))
        return std::move(E);
    return std::move(Records);
  }

private:
  const ElfView &File;
  const ElfView::Section &S;
  StringRef Bytes;
  DataExtractor Data;
  std::map<uint64_t, Encodings> CIEs;
  std::vector<FrameRecord> Records;

  Error bad(uint64_t At, const Twine &Problem) const {
    return badFile(File.describe(S) + " holds a record at " + hex(At) + " " +
                       Problem,
                   Damaged);
  }

  Error unknown(uint64_t At, uint8_t Encoding) const {
    return badFile(File.describe(S) + " holds a record at " + hex(At) +
                       " with pointers of the kind " + hex(Encoding) +
                       ", which compilers do not write and which cannot be "
                       "rewritten",
                   "report it if a compiler wrote it");
  }

  Error readRecord(uint64_t &At) {
    const uint64_t Begin = At;
    Cursor C(At);
    uint64_t Length = Data.getU32(C);
    At += 4;
    if (!Length) // The end, or padding between object files.
      return C.takeError();
    if (Length == UINT32_MAX) {
      Length = Data.getU64(C);
      At += 8;
    }
    if (Error E = C.takeError())
      return joinErrors(bad(Begin, "that is cut off"), std::move(E));
    const uint64_t Body = At;
    if (Length < 4 || !fits(Body, Length, Bytes.size()))
      return bad(Begin, "that is not inside of it");
    At = Body + Length;
    DataExtractor Record(Bytes.take_front(At), true, 8);
    Cursor R(Body);
    const uint64_t Back = Record.getU32(R);
    Error E = Back ? readFDE(Record, R, Begin, Body - Back)
                   : readCIE(Record, R, Begin);
    if (Error Short = R.takeError()) {
      consumeError(std::move(Short));
      consumeError(std::move(E));
      return bad(Begin, "that is cut off");
    }
    return E;
  }

  Error readCIE(const DataExtractor &Record, Cursor &C, uint64_t Begin) {
    Encodings Result;
    const uint8_t Version = Record.getU8(C);
    StringRef Augmentation = Record.getCStrRef(C);
    FrameCommon &Common = Result.Common;
    Common.CodeAlignment = Record.getULEB128(C);
    Common.DataAlignment = Record.getSLEB128(C);
    Common.ReturnRegister =
        Version == 1 ? Record.getU8(C) : Record.getULEB128(C);
    if (!C)
      return Error::success();
    if (Version != 1 && Version != 3)
      return bad(Begin, "of unknown version " + Twine(Version));
    uint64_t Program = 0;
    if (Augmentation.consume_front("z")) {
      Result.HasAugmentation = true;
      const uint64_t Size = Record.getULEB128(C);
      Program = C.tell() + Size;
    } else if (!Augmentation.empty()) {
      return Error::success(); // From a compiler of the past; left unread.
    }
    for (char Letter : Augmentation)
      switch (Letter) {
      case 'R':
        Result.Address = Record.getU8(C);
        break;
      case 'L':
        Result.LSDA = Record.getU8(C);
        break;
      case 'P': {
        const uint8_t Encoding = Record.getU8(C);
        if (C && !isKnownOfRecord(Encoding))
          return unknown(Begin, Encoding);
        Common.Personality = readEncoded(Record, C, Encoding, S.sh_addr);
        break;
      }
      case 'S':
        Common.IsSignalFrame = true;
        break;
      case 'B':
      case 'G':
        break;
      default:
        return bad(Begin, "with an unknown augmentation");
      }
    for (uint8_t Encoding : {Result.Address, Result.LSDA})
      if (C && !isKnownOfRecord(Encoding))
        return unknown(Begin, Encoding);
    if (!Result.HasAugmentation && C)
      Program = C.tell();
    Common.Program = Record.getData().drop_front(
        std::min<uint64_t>(Program, Record.getData().size()));
    CIEs[Begin] = Result;
    return Error::success();
  }

  Error readFDE(const DataExtractor &Record, Cursor &C, uint64_t Begin,
                uint64_t CIE) {
    auto It = CIEs.find(CIE);
    if (It == CIEs.end())
      return bad(Begin, "without its CIE");
    const Encodings &CIEInfo = It->second;
    FrameRecord Frame{Begin, 0, 0, 0, CIEInfo.Common, {}};
    Frame.Begin = readEncoded(Record, C, CIEInfo.Address, S.sh_addr);
    Frame.End = Frame.Begin + readEncoded(Record, C, CIEInfo.Address & 0x0f, 0);
    if (!C)
      return Error::success();
    if (CIEInfo.HasAugmentation) {
      const uint64_t Size = Record.getULEB128(C);
      const uint64_t Program = C.tell() + Size;
      if (Size && CIEInfo.LSDA != dwarf::DW_EH_PE_omit)
        Frame.LSDA = readEncoded(Record, C, CIEInfo.LSDA, S.sh_addr);
      if (C && Program >= C.tell() && Program <= Record.size())
        C.seek(Program);
    }
    if (C) {
      Frame.Program = Record.getData().drop_front(C.tell());
      Records.push_back(Frame);
    }
    return Error::success();
  }
};

class TableReader {
public:
  TableReader(const ElfView &File, const ElfView::Section &S,
              const FrameRecord &Frame)
      : File(File), S(S), Frame(Frame),
        Data(File.content(S), /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  Expected<std::vector<CallSite>> read() {
    Cursor C(Frame.LSDA - S.sh_addr);
    Error E = readTable(C);
    if (Error Short = C.takeError()) {
      consumeError(std::move(Short));
      consumeError(std::move(E));
      return bad("that is cut off");
    }
    if (E)
      return std::move(E);
    return std::move(Sites);
  }

private:
  const ElfView &File;
  const ElfView::Section &S;
  const FrameRecord &Frame;
  DataExtractor Data;
  uint64_t ActionsBegin = 0, PadBase = 0;
  std::optional<uint64_t> TypesEnd;
  uint8_t TypeEncoding = dwarf::DW_EH_PE_omit;
  std::vector<CallSite> Sites;

  Error bad(const Twine &Problem, StringRef ToDo = Damaged) const {
    return badFile(File.describe(S) + " holds a table for the code at " +
                       hex(Frame.Begin) + " " + Problem,
                   ToDo);
  }

  Error readTable(Cursor &C) {
    const uint8_t PadEncoding = Data.getU8(C);
    if (C && !isKnown(PadEncoding))
      return bad("with an unknown encoding");
    PadBase = PadEncoding == dwarf::DW_EH_PE_omit
                  ? Frame.Begin
                  : readEncoded(Data, C, PadEncoding, S.sh_addr);
    TypeEncoding = Data.getU8(C);
    if (TypeEncoding != dwarf::DW_EH_PE_omit) {
      const uint64_t Offset = Data.getULEB128(C);
      TypesEnd = C.tell() + Offset;
      if (C && (!isKnown(TypeEncoding) || *TypesEnd > Data.size()))
        return bad("with types that are not inside of it");
    }
    const uint8_t SiteEncoding = Data.getU8(C);
    const uint64_t Length = Data.getULEB128(C);
    if (!C)
      return Error::success();
    if (!isKnown(SiteEncoding) || SiteEncoding & 0x70 ||
        !fits(C.tell(), Length, Data.size()))
      return bad("with call sites that are not inside of it");
    ActionsBegin = C.tell() + Length;
    if (TypesEnd && *TypesEnd < ActionsBegin)
      return bad("with types before its actions");
    while (C && C.tell() < ActionsBegin)
      if (Error E = readSite(C, SiteEncoding))
        return E;
    return Error::success();
  }

  Error readSite(Cursor &C, uint8_t Encoding) {
    const uint64_t Begin = readEncoded(Data, C, Encoding, 0);
    const uint64_t Size = readEncoded(Data, C, Encoding, 0);
    const uint64_t Pad = readEncoded(Data, C, Encoding, 0);
    const uint64_t Action = Data.getULEB128(C);
    if (!C)
      return Error::success();
    if (!fits(Begin, Size, Frame.End - Frame.Begin))
      return bad("with a call site that is not inside of the code",
                 "g++ writes such tables with -fno-reorder-functions: compile "
                 "without it; otherwise the file is damaged, link it again");
    CallSite Site{Frame.Begin + Begin,
                  Frame.Begin + Begin + Size,
                  Pad ? PadBase + Pad : 0,
                  Action != 0,
                  {}};
    if (!Sites.empty() && Site.Begin < Sites.back().End)
      return bad("with call sites that are not in order");
    if (Pad && !File.isCode(Site.LandingPad))
      return bad("with a landing pad that is not code");
    Sites.push_back(Site);
    return Action ? readActions(Action - 1, Sites.back().Handlers)
                  : Error::success();
  }

  /// The type number \p Index: its address, or the place that holds it.
  uint64_t type(uint64_t Index) const {
    const uint64_t Place = *TypesEnd - Index * sizeOf(TypeEncoding);
    Cursor C(Place);
    const uint64_t Type = readEncoded(Data, C, TypeEncoding, S.sh_addr);
    consumeError(C.takeError());
    return Type;
  }

  /// Adds what \p Filter stands for, which was checked.
  void addHandler(int64_t Filter, std::vector<uint64_t> &Handlers) const {
    enum Word : uint64_t { Cleanup, Catch, Specification, End };
    if (!Filter) {
      Handlers.push_back(Cleanup);
      return;
    }
    Handlers.push_back(Filter > 0 ? Catch : Specification);
    if (Filter > 0) {
      Handlers.push_back(type(Filter));
      return;
    }
    Cursor C(*TypesEnd - (Filter + 1));
    while (uint64_t Index = Data.getULEB128(C))
      Handlers.push_back(type(Index));
    consumeError(C.takeError());
    Handlers.push_back(End);
  }

  Error readActions(uint64_t Offset, std::vector<uint64_t> &Handlers) {
    uint64_t At = ActionsBegin + Offset;
    for (unsigned Count = 0; Count < MaxActions; ++Count) {
      if (At >= Data.size())
        return bad("with an action that is not inside of it");
      Cursor C(At);
      const int64_t Filter = Data.getSLEB128(C);
      const uint64_t Place = C.tell();
      const int64_t Next = Data.getSLEB128(C);
      if (Error E = C.takeError()) {
        consumeError(std::move(E));
        return bad("with an action that is cut off");
      }
      if (Error E = checkFilter(Filter))
        return E;
      addHandler(Filter, Handlers);
      if (!Next)
        return Error::success();
      At = Place + Next;
    }
    return bad("with actions that have no end");
  }

  bool isType(uint64_t Index) const {
    return TypesEnd && Index &&
           Index <= (*TypesEnd - ActionsBegin) / sizeOf(TypeEncoding);
  }

  /// The types that end with 0 at \p At.
  bool isListOfTypes(uint64_t At) const {
    Cursor C(At);
    uint64_t Index;
    while ((Index = Data.getULEB128(C)) && C && isType(Index))
      ;
    const bool Ends = C && !Index;
    consumeError(C.takeError());
    return Ends;
  }

  /// A positive filter is a type before the end of the types, a negative one a
  /// list of types behind it, zero a cleanup.
  Error checkFilter(int64_t Filter) const {
    if (!Filter ||
        (Filter > 0 ? isType(Filter)
                    : TypesEnd && isListOfTypes(*TypesEnd - (Filter + 1))))
      return Error::success();
    return bad("with a type that is not inside of it");
  }
};

} // namespace

Expected<std::vector<FrameRecord>>
graupel::readFrames(const ElfView &File, const ElfView::Section &S) {
  return FrameReader(File, S).read();
}

Expected<std::vector<CallSite>>
graupel::readCallSites(const ElfView &File, const ElfView::Section &S,
                       const FrameRecord &Frame) {
  return TableReader(File, S, Frame).read();
}
