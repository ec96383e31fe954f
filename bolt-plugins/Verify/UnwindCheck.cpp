//===- Verify/UnwindCheck.cpp - Whether exceptions find their way ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Read the records of .eh_frame of both files.
// 2. The index of .eh_frame_hdr is sorted and leads to records; without one,
//    the program registers its records.
// 3. Each record in use is for code, and each call site of its exception table
//    for whole instructions and a landing pad of its function.
// 4. Nothing is left out: no new or unchanged function, and no code that is in
//    no function and stayed, such as the PLT, whose record says the same.
// 5. Old records that the program still registers describe no new code.
//
//===----------------------------------------------------------------------===//

#include "Elf/RegisteredRecords.h"
#include "Elf/Unwind.h"
#include "OutputCheck.h"
#include "SymbolMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using namespace graupel;

namespace {

class Checker {
public:
  Checker(const ElfView &Input, const ElfView &Output, const SymbolMap &Symbols,
          const CodeMap &Code, Verified &Count)
      : Input(Input), Output(Output), Symbols(Symbols), Code(Code),
        Count(Count) {}

  Error run() {
    if (Error E = readRecords())
      return E;
    bool HasIndex = false;
    for (const ElfView::Segment &S : Output.segments())
      if (S.p_type == ELF::PT_GNU_EH_FRAME) {
        HasIndex = true;
        if (Error E = checkIndex(S))
          return E;
      }
    if (Error E = HasIndex ? Error::success() : checkRegistered())
      return E;
    return checkOldRecords();
  }

private:
  const ElfView &Input, &Output;
  const SymbolMap &Symbols;
  const CodeMap &Code;
  Verified &Count;
  std::map<uint64_t, FrameRecord> Records; ///< By their addresses.
  std::map<std::pair<uint64_t, uint64_t>, FrameRecord>
      InputRanges; ///< Its records.

  static Error bad(const Twine &Problem) {
    return badFile(Problem,
                   "this is a defect of graupel-bolt, report it with the "
                   "input");
  }

  bool isInput(const FrameRecord &Frame) const {
    return InputRanges.contains({Frame.Begin, Frame.End});
  }

  Error readRecords() {
    for (const ElfView::Section &S : Input.sections())
      if (Input.name(S) == ".eh_frame" && (S.sh_flags & ELF::SHF_ALLOC)) {
        Expected<std::vector<FrameRecord>> Frames = readFrames(Input, S);
        if (!Frames)
          return Frames.takeError();
        for (const FrameRecord &F : *Frames)
          InputRanges.try_emplace({F.Begin, F.End}, F);
      }
    for (const ElfView::Section &S : Output.sections()) {
      if (!Output.name(S).ends_with(".eh_frame") ||
          !(S.sh_flags & ELF::SHF_ALLOC))
        continue;
      Expected<std::vector<FrameRecord>> Frames = readFrames(Output, S);
      if (!Frames)
        return Frames.takeError();
      for (const FrameRecord &F : *Frames)
        Records[S.sh_addr + F.Offset] = F;
    }
    return Error::success();
  }

  /// Records that the program still registers must not describe code that is
  /// new.
  Error checkOldRecords() const {
    const ElfView::Section *Old = Input.find(".eh_frame");
    const ElfView::Section *New = Output.find(".eh_frame");
    // Where functions moved, their old code does not run.
    const bool Moved = llvm::any_of(
        Output.sections().drop_front(), [&](const ElfView::Section &S) {
          return S.sh_flags & ELF::SHF_EXECINSTR &&
                 Output.name(S).starts_with(".bolt.org");
        });
    if (!Old || !New || Old->sh_addr == New->sh_addr || Moved ||
        !registersOneOf(Output, recordsIn(Input, *Old)))
      return Error::success();
    for (const auto &[Range, Record] : InputRanges) {
      const uint64_t Begin = Range.first;
      if (const CodeMap::Function *F = Code.functionAt(Begin);
          F && F->Begin == Begin && !F->Unchanged && !F->Anonymous)
        return bad("the program registers the old .eh_frame, which describes " +
                   F->Name + " as it was");
    }
    return Error::success();
  }

  /// The index of .eh_frame_hdr decides which records are in use.
  Error checkIndex(const ElfView::Segment &S) {
    constexpr uint64_t HeaderSize = 12, EntrySize = 8;
    StringRef Bytes = Output.content(S);
    if (Bytes.size() < HeaderSize || Bytes[0] != 1)
      return bad(".eh_frame_hdr has no header");
    if (uint8_t(Bytes[2]) != dwarf::DW_EH_PE_udata4 ||
        uint8_t(Bytes[3]) != (dwarf::DW_EH_PE_datarel | dwarf::DW_EH_PE_sdata4))
      return Error::success(); // Without an index.
    const uint64_t Entries = support::endian::read32le(Bytes.data() + 8);
    if (!fits(HeaderSize, Entries * EntrySize, Bytes.size()))
      return bad(".eh_frame_hdr has more entries than bytes");
    std::vector<uint64_t> Begins;
    for (uint64_t I = 0; I < Entries; ++I) {
      const char *Entry = Bytes.data() + HeaderSize + I * EntrySize;
      auto field = [&](unsigned Offset) {
        return S.p_vaddr + int32_t(support::endian::read32le(Entry + Offset));
      };
      if (!Begins.empty() && field(0) < Begins.back())
        return bad(".eh_frame_hdr is not sorted");
      Begins.push_back(field(0));
      auto It = Records.find(field(4));
      if (It == Records.end() || It->second.Begin != field(0))
        return bad(".eh_frame_hdr has no record for the code at " +
                   hex(field(0)));
      if (Error E = checkRecord(It->second))
        return E;
    }
    return checkComplete(Begins);
  }

  /// Without an index the program has to register its records, or it does not
  /// unwind at all.
  Error checkRegistered() {
    const ElfView::Section *Old = Input.find(".eh_frame");
    const ElfView::Section *New = Output.find(".eh_frame");
    if (!Old || !New || Old->sh_addr == New->sh_addr || !hasRegistry())
      return Error::success();
    for (const auto &[Address, Frame] : Records)
      if (Address >= New->sh_addr && Address - New->sh_addr < New->sh_size &&
          !isLeftBehind(Frame.Begin))
        if (Error E = checkRecord(Frame))
          return E;
    for (const ElfView::Section &S : Output.sections())
      if (S.sh_flags & ELF::SHF_EXECINSTR && S.sh_type == ELF::SHT_PROGBITS &&
          refersTo(S, New->sh_addr))
        return Error::success();
    return bad("nobody registers .eh_frame");
  }

  /// True for code of which BOLT has made another copy.
  bool isLeftBehind(uint64_t Address) const {
    const ElfView::Section *S = Output.sectionAt(Address);
    return S && Output.name(*S).starts_with(".bolt.org");
  }

  bool hasRegistry() const {
    const ElfView::Section *Symbols = Output.find(".symtab");
    if (!Symbols)
      return false;
    StringRef Strings = Output.linkedStrings(*Symbols);
    return llvm::any_of(
        Output.table<ElfView::Symbol>(*Symbols), [&](const auto &S) {
          return S.st_shndx != ELF::SHN_UNDEF &&
                 ElfView::string(Strings, S.st_name) == "__register_frame_info";
        });
  }

  bool refersTo(const ElfView::Section &S, uint64_t Address) const {
    StringRef Bytes = Output.content(S);
    for (size_t I = 0; I + 4 <= Bytes.size(); ++I) {
      const uint32_t Value = support::endian::read32le(Bytes.data() + I);
      if (Value == Address || S.sh_addr + I + 4 + int32_t(Value) == Address)
        return true;
    }
    return false;
  }

  /// Code that is in no function and stayed, such as the PLT, has the record
  /// that it had.
  Error checkRecordsOfRest(ArrayRef<uint64_t> Begins) const {
    for (const auto &[Range, Before] : InputRanges) {
      const auto [Begin, End] = Range;
      if (!Input.isCode(Begin) || Symbols.inputAt(Begin) ||
          Input.bytesAt(Begin).substr(0, End - Begin) !=
              Output.bytesAt(Begin).substr(0, End - Begin) ||
          isLeftBehind(Begin))
        continue;
      if (!llvm::binary_search(Begins, Begin))
        return bad(".eh_frame_hdr leaves out the code at " + hex(Begin));
      const bool SaysSame = llvm::any_of(
          llvm::make_second_range(Records), [&](const FrameRecord &Now) {
            return Now.Begin == Begin && Now.End == End &&
                   isSame(Now.Program, Before.Program) &&
                   isSame(Now.Common.Program, Before.Common.Program);
          });
      if (!SaysSame)
        return bad("the unwind record of the code at " + hex(Begin) +
                   " says something else");
    }
    return Error::success();
  }

  /// Compares call frame instructions, which no-operations may follow.
  static bool isSame(StringRef A, StringRef B) {
    return A.rtrim('\0') == B.rtrim('\0');
  }

  Error checkComplete(ArrayRef<uint64_t> Begins) const {
    if (Error E = checkRecordsOfRest(Begins))
      return E;
    for (const auto &[Address, Frame] : Records) {
      const CodeMap::Function *F = Code.functionAt(Frame.Begin);
      // Records of code that was moved away stay behind. New code may begin
      // where such code began.
      if (F && !F->Anonymous && F->Begin == Frame.Begin &&
          !llvm::binary_search(Begins, Frame.Begin) &&
          (F->Unchanged || !isInput(Frame)))
        return bad(".eh_frame_hdr leaves out " + F->Name);
    }
    return Error::success();
  }

  /// The record of code that stayed names no table and no routine if that of
  /// the input does not. Otherwise CodeComparison looks at what they say.
  Error checkKeptRecord(const FrameRecord &Frame,
                        const CodeMap::Function *F) const {
    const auto It = InputRanges.find({Frame.Begin, Frame.End});
    if (It == InputRanges.end() || !F || !F->Unchanged || F->Anonymous)
      return Error::success();
    if (Frame.LSDA && !It->second.LSDA)
      return bad("the unwind record of " + F->Name +
                 " has got an exception table, at " + hex(Frame.LSDA));
    if (Frame.Common.Personality && !It->second.Common.Personality)
      return bad("the unwind record of " + F->Name +
                 " has got a personality routine, at " +
                 hex(Frame.Common.Personality));
    return Error::success();
  }

  Error checkRecord(const FrameRecord &Frame) {
    ++Count.Frames;
    if (!Frame.Begin) // The linker left out the code.
      return Error::success();
    if (Frame.End < Frame.Begin || !Output.isCode(Frame.Begin) ||
        !Output.isMapped(Frame.Begin, Frame.End - Frame.Begin))
      return bad("unwind information is for " + hex(Frame.Begin) + " to " +
                 hex(Frame.End) + ", which is not code");
    const CodeMap::Function *F = Code.functionAt(Frame.Begin);
    if (Error E = checkKeptRecord(Frame, F))
      return E;
    if (!Frame.LSDA || !F || F->Unchanged || F->Anonymous)
      return Error::success();
    const ElfView::Section *Table = Output.sectionAt(Frame.LSDA);
    if (!Table)
      return bad("the exception table of " + F->Name + " is in no section");
    if (!Output.name(*Table).contains("gcc_except_table"))
      return Error::success(); // It is of another language.
    Expected<std::vector<CallSite>> Sites =
        readCallSites(Output, *Table, Frame);
    if (!Sites)
      return Sites.takeError();
    for (const CallSite &Site : *Sites)
      if (Error E = checkSite(*F, Site))
        return E;
    return Error::success();
  }

  /// A call site covers whole instructions, and its landing pad is in its
  /// function or, if that was split, in the other part.
  Error checkSite(const CodeMap::Function &F, const CallSite &Site) {
    ++Count.CallSites;
    // A table that has to be there, but has nothing to say, ends in one of
    // these (Driver/Protection.cpp).
    if (Site.Begin == Site.End && Site.Begin == F.End && !Site.LandingPad)
      return Error::success();
    if (!Code.isTarget(Site.Begin) ||
        (Site.End < F.End && !Code.isTarget(Site.End)))
      return bad("a call site of " + F.Name + " at " + hex(Site.Begin) +
                 " cuts an instruction");
    if (!Site.LandingPad)
      return Error::success();
    const CodeMap::Function *Home = Code.functionAt(Site.LandingPad);
    const bool Split =
        Home && (Home->MayBePart || Home->Name.contains(".cold") ||
                 Home->Name.contains(".warm") || F.Name.contains(".cold") ||
                 F.Name.contains(".warm"));
    if (!Home || (Home != &F && !Split) || !Code.isTarget(Site.LandingPad))
      return bad("a landing pad of " + F.Name + " (" + hex(Site.LandingPad) +
                 ") is not in it");
    return Error::success();
  }
};

} // namespace

Error graupel::verifyUnwinding(const ElfView &Input, const ElfView &Output,
                               const SymbolMap &Symbols, const CodeMap &Code,
                               Verified &Count) {
  return Checker(Input, Output, Symbols, Code, Count).run();
}
