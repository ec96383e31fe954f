//===- Elf/InputCheck.cpp - Whether an ELF file is sound ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The headers of segments and sections: bounds, alignment, order.
// 2. Each section: its place in a segment, what it links to, what is behind it.
// 3. Overlaps in memory and in the file.
// 4. The tables by their kind: symbols, relocations, strings, notes, the
//    dynamic section.
// 5. Unwind records, the exception tables that they lead to, and the parts of
//    split functions.
//
//===----------------------------------------------------------------------===//

#include "InputCheck.h"
#include "DynamicCheck.h"
#include "RelocationCheck.h"
#include "UnsupportedInput.h"
#include "Unwind.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

constexpr StringLiteral Damaged = "the file is damaged, link it again";

/// By how much a stream that a section is compressed to can grow.
uint64_t maxCompression(uint32_t Type) {
  // Three bytes of a zstd stream stand for 128 kB at most.
  return Type == ELF::ELFCOMPRESS_ZSTD ? 50000 : 1100;
}

using Segment = ElfView::Segment;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

class Checker {
public:
  /// BOLT writes some things that no linker does: \p IsLinked is for its input.
  Checker(const ElfView &File, bool IsLinked)
      : File(File), IsLinked(IsLinked) {}

  Error run() {
    using Check = Error (Checker::*)();
    for (Check C : {&Checker::checkHeader, &Checker::checkSegments,
                    &Checker::checkSections, &Checker::checkOverlaps,
                    &Checker::checkTables, &Checker::checkDynamic,
                    &Checker::checkUnwindNames})
      if (Error E = (this->*C)())
        return E;
    return Error::success();
  }

private:
  struct Function {
    uint64_t Begin, Size;
    StringRef Name;
  };

  const ElfView &File;
  const bool IsLinked;
  std::vector<Function> Functions; ///< By address, once they are needed.

  Error bad(const Twine &Problem) const { return badFile(Problem, Damaged); }
  Error bad(const Section &S, const Twine &Problem) const {
    return bad(File.describe(S) + Twine(" ") + Problem);
  }
  Error bad(const Segment &S, const Twine &Problem) const {
    return bad("segment " + Twine(&S - File.segments().data()) + " " + Problem);
  }

  Error checkHeader();
  Error checkSegments();
  Error checkSegment(const Segment &S) const;
  Error checkSections();
  bool isX86() const { return File.header().e_machine == ELF::EM_X86_64; }
  static bool isName(StringRef Name);
  Error checkSection(const Section &S) const;
  Error checkPlace(const Section &S) const;
  Error checkLink(const Section &S) const;
  Error checkGap(const Section &S) const;
  Error checkOverlaps();
  Error checkOverlaps(ArrayRef<const Section *> Parts, bool InFile) const;
  Error checkTables();
  Error checkTable(const Section &S);
  Error checkSymbols(const Section &S) const;
  bool hasWideIndices(const Section &Table) const;
  Error checkSymbol(const Section &Table, const Symbol &S,
                    StringRef Strings) const;
  Error checkRelocations(const Section &S) const;
  bool isKnownRelocation(const Rela &R) const;
  Error checkNotes(const Section &S) const;
  Error checkFrames(const Section &S);
  Error checkCallSites(const Section &Tables, const FrameRecord &Frame,
                       ArrayRef<CallSite> Sites);
  Error checkUnwindNames();
  void findFunctions();
  bool isInOtherFunction(uint64_t Address, const FrameRecord &Frame);
  Error checkDynamic() { return checkDynamicSection(File); }
};

bool occupiesMemory(const Section &S) {
  // .tbss has an address but takes no memory there.
  return S.sh_flags & ELF::SHF_ALLOC && S.sh_size &&
         !(S.sh_flags & ELF::SHF_TLS && S.sh_type == ELF::SHT_NOBITS);
}

bool occupiesFile(const Section &S) {
  return S.sh_type != ELF::SHT_NOBITS && S.sh_type != ELF::SHT_NULL &&
         S.sh_size;
}

Error Checker::checkHeader() {
  const ElfView::Header &Head = File.header();
  if (Head.e_type != ELF::ET_EXEC && Head.e_type != ELF::ET_DYN)
    return badFile("neither a program nor a shared library",
                   "link it, then optimize the result");
  switch (Head.e_machine) {
  case ELF::EM_X86_64:
  case ELF::EM_AARCH64:
  case ELF::EM_RISCV:
    break;
  default:
    return badFile("a program for another processor (ELF machine " +
                       Twine(Head.e_machine) + ")",
                   "x86-64, AArch64 and RISC-V can be optimized");
  }
  if (Head.e_type == ELF::ET_DYN && !Head.e_entry)
    return Error::success();
  if (!File.isCode(Head.e_entry))
    return bad("the entry point " + hex(Head.e_entry) +
               " is not in an executable segment");
  const Section *Home = File.sectionAt(Head.e_entry);
  if (File.sections().size() > 1 &&
      !(Home && Home->sh_flags & ELF::SHF_EXECINSTR))
    return bad("the entry point " + hex(Head.e_entry) +
               " is not in a section of code");
  return Error::success();
}

Error Checker::checkSegment(const Segment &S) const {
  if (S.p_vaddr + S.p_memsz < S.p_vaddr)
    return bad(S, "reaches over the end of memory");
  if (S.p_type != ELF::PT_LOAD)
    return Error::success();
  if (S.p_filesz > S.p_memsz)
    return bad(S, "is larger in the file than in memory");
  if (S.p_align > 1 && !isPowerOf2_64(S.p_align))
    return bad(S, "has an alignment that is not a power of two");
  if (S.p_align > 1 && S.p_filesz &&
      (S.p_vaddr - S.p_offset) % std::min<uint64_t>(S.p_align, 4096))
    return bad(S, "has an address that contradicts its place in the file");
  return Error::success();
}

Error Checker::checkSegments() {
  std::vector<const Segment *> Loads;
  for (const Segment &S : File.segments()) {
    if (Error E = checkSegment(S))
      return E;
    if (S.p_type == ELF::PT_LOAD && S.p_memsz)
      Loads.push_back(&S);
  }
  if (Loads.empty())
    return bad("no segment is loaded");
  llvm::sort(Loads, [](const Segment *A, const Segment *B) {
    return A->p_vaddr < B->p_vaddr;
  });
  for (size_t I = 1; I < Loads.size(); ++I)
    if (Loads[I - 1]->p_vaddr + Loads[I - 1]->p_memsz > Loads[I]->p_vaddr)
      return bad(*Loads[I], "overlaps segment " +
                                Twine(Loads[I - 1] - File.segments().data()));
  return Error::success();
}

Error Checker::checkSections() {
  // Only numbers too large for the header may be in the first one.
  if (const Section &First = File.sections().front();
      First.sh_type != ELF::SHT_NULL ||
      (First.sh_link && File.header().e_shstrndx != ELF::SHN_XINDEX))
    return bad(First, "is not empty");
  for (const Section &S : File.sections().drop_front())
    if (Error E = checkSection(S))
      return E;
  return Error::success();
}

/// BOLT knows sections by their names.
bool Checker::isName(StringRef Name) {
  return json::isUTF8(Name) && llvm::none_of(Name, [](char C) {
           return static_cast<unsigned char>(C) < ' ' || C == 0x7f;
         });
}

Error Checker::checkSection(const Section &S) const {
  if (S.sh_type == ELF::SHT_NULL)
    return Error::success();
  if (!isName(File.name(S)))
    return bad("section " + Twine(&S - File.sections().data()) +
               " has a name that is none");
  // Between what ELF defines and what it leaves to systems is nothing.
  if (S.sh_type > ELF::SHT_RELR && S.sh_type < ELF::SHT_LOOS)
    return bad(S, "has an unknown type");
  if (S.sh_addralign > 1 && !isPowerOf2_64(S.sh_addralign))
    return bad(S, "has an alignment that is not a power of two");
  if (S.sh_flags & ELF::SHF_COMPRESSED) {
    StringRef Bytes = File.content(S);
    const auto *Head =
        reinterpret_cast<const ElfView::Types::Chdr *>(Bytes.data());
    if (S.sh_flags & ELF::SHF_ALLOC || Bytes.size() < sizeof(*Head))
      return bad(S, "cannot be compressed");
    if (Head->ch_size / maxCompression(Head->ch_type) > Bytes.size())
      return bad(S, "has an impossible size before compression");
  }
  if (Error E = checkPlace(S))
    return E;
  if (Error E = checkLink(S))
    return E;
  return IsLinked && isX86() ? checkGap(S) : Error::success();
}

/// Sections that are loaded lie in a segment, at the same place in the file and
/// in memory, or in several that adjoin: patchelf lets .dynstr begin in a page
/// of its own and end in the first segment.
Error Checker::checkPlace(const Section &S) const {
  if (!occupiesMemory(S))
    return Error::success();
  if (S.sh_addralign > 1 && S.sh_addr % S.sh_addralign)
    return bad(S, "has an address that is not aligned");
  const Segment *Holder = File.segmentAt(S.sh_addr);
  if (!Holder || !File.isMapped(S.sh_addr, S.sh_size))
    return bad(S, "is not inside of a segment");
  if (S.sh_flags & ELF::SHF_EXECINSTR && !(Holder->p_flags & ELF::PF_X))
    return bad(S, "is code in a segment that is not executable");
  if (S.sh_type == ELF::SHT_NOBITS)
    return Error::success();
  const StringRef Loaded = File.bytesAt(S.sh_addr);
  if (Loaded.size() < S.sh_size || Loaded.data() != File.content(S).data())
    return bad(S, "has an address that contradicts its place in the file");
  return Error::success();
}

/// Tables must refer to sections of the right type; this excludes cycles, too.
Error Checker::checkLink(const Section &S) const {
  if (S.sh_link >= File.sections().size())
    return bad(S, "refers to section " + Twine(S.sh_link) +
                      ", which does not exist");
  const uint32_t Linked = File.sections()[S.sh_link].sh_type;
  const bool IsSymbols = Linked == ELF::SHT_SYMTAB || Linked == ELF::SHT_DYNSYM;
  bool Right = true;
  switch (S.sh_type) {
  case ELF::SHT_SYMTAB:
  case ELF::SHT_DYNSYM:
  case ELF::SHT_DYNAMIC:
  case ELF::SHT_GNU_verdef:
  case ELF::SHT_GNU_verneed:
    Right = Linked == ELF::SHT_STRTAB;
    break;
  case ELF::SHT_HASH:
  case ELF::SHT_GNU_HASH:
  case ELF::SHT_GNU_versym:
  case ELF::SHT_SYMTAB_SHNDX:
    Right = IsSymbols;
    break;
  case ELF::SHT_REL:
  case ELF::SHT_RELA:
    // Static programs have relocations without symbols.
    Right = IsSymbols || !S.sh_link;
    if (S.sh_info >= File.sections().size())
      Right = false;
    break;
  default:
    break;
  }
  // Sections that the loader reads refer to sections that it can read.
  const bool Loaded = S.sh_flags & ELF::SHF_ALLOC && S.sh_link &&
                      S.sh_type != ELF::SHT_REL && S.sh_type != ELF::SHT_RELA;
  if (Loaded && (IsSymbols || Linked == ELF::SHT_STRTAB))
    Right &= (File.sections()[S.sh_link].sh_flags & ELF::SHF_ALLOC) != 0;
  return Right ? Error::success()
               : bad(S, "refers to a section of the wrong type");
}

/// Behind a section of code is only what linkers fill gaps with: more would be
/// code that has lost its section.
Error Checker::checkGap(const Section &S) const {
  // New code over the old leaves some of that behind. Such files are refused,
  // too, but not as damaged.
  if (File.find(".note.bolt_info"))
    return Error::success();
  const Segment *Holder = File.segmentAt(S.sh_addr);
  if (!(S.sh_flags & ELF::SHF_EXECINSTR) || !occupiesMemory(S) || !Holder)
    return Error::success();
  uint64_t End = Holder->p_vaddr + Holder->p_filesz;
  for (const Section &Other : File.sections())
    if (occupiesMemory(Other) && Other.sh_addr >= S.sh_addr + S.sh_size)
      End = std::min<uint64_t>(End, Other.sh_addr);
  const StringRef Gap = File.bytesAt(S.sh_addr).take_front(
      End - std::min<uint64_t>(End, S.sh_addr));
  // Zeros, nops and traps; longer ones are for the inside of sections.
  if (Gap.drop_front(std::min<uint64_t>(S.sh_size, Gap.size()))
          .find_first_not_of(StringRef("\x00\x90\xcc", 3)) != StringRef::npos)
    return bad(S, "ends before its code does");
  return Error::success();
}

Error Checker::checkOverlaps() {
  std::vector<const Section *> Memory, Content;
  for (const Section &S : File.sections().drop_front()) {
    if (occupiesMemory(S))
      Memory.push_back(&S);
    if (occupiesFile(S))
      Content.push_back(&S);
  }
  if (Error E = checkOverlaps(Memory, /*InFile=*/false))
    return E;
  return checkOverlaps(Content, /*InFile=*/true);
}

Error Checker::checkOverlaps(ArrayRef<const Section *> Parts,
                             bool InFile) const {
  auto begin = [&](const Section *S) -> uint64_t {
    return InFile ? S->sh_offset : S->sh_addr;
  };
  std::vector<const Section *> Order(Parts);
  llvm::stable_sort(Order, [&](const Section *A, const Section *B) {
    return begin(A) < begin(B);
  });
  for (size_t I = 1; I < Order.size(); ++I)
    if (begin(Order[I - 1]) + Order[I - 1]->sh_size > begin(Order[I]))
      return bad(*Order[I], "overlaps " + File.describe(*Order[I - 1]) +
                                (InFile ? " in the file" : " in memory"));
  return Error::success();
}

Error Checker::checkTables() {
  for (const Section &S : File.sections().drop_front())
    if (Error E = checkTable(S))
      return E;
  return Error::success();
}

Error Checker::checkTable(const Section &S) {
  switch (S.sh_type) {
  case ELF::SHT_SYMTAB:
  case ELF::SHT_DYNSYM:
    return checkSymbols(S);
  case ELF::SHT_RELA:
    return checkRelocations(S);
  case ELF::SHT_NOTE:
    return checkNotes(S);
  default:
    return File.name(S) == ".eh_frame" ? checkFrames(S) : Error::success();
  }
}

Error Checker::checkSymbols(const Section &S) const {
  if (S.sh_entsize != sizeof(Symbol) || S.sh_size % sizeof(Symbol))
    return bad(S, "does not hold symbols of the size they have");
  ArrayRef<Symbol> Symbols = File.table<Symbol>(S);
  if (S.sh_info > Symbols.size())
    return bad(S, "has more local symbols than symbols");
  StringRef Strings = File.linkedStrings(S);
  for (const Symbol &Sym : Symbols)
    if (Error E = checkSymbol(S, Sym, Strings))
      return E;
  return Error::success();
}

/// Whether there is a table of the section numbers that do not fit into \p
/// Table.
bool Checker::hasWideIndices(const Section &Table) const {
  return llvm::any_of(File.sections(), [&](const Section &S) {
    return S.sh_type == ELF::SHT_SYMTAB_SHNDX &&
           &File.sections()[S.sh_link] == &Table;
  });
}

Error Checker::checkSymbol(const Section &Table, const Symbol &S,
                           StringRef Strings) const {
  auto bad = [&](const Twine &Problem) {
    return this->bad(Table, "holds symbol " +
                                Twine(&S - File.table<Symbol>(Table).data()) +
                                ", " + Problem);
  };
  if (S.st_name >= std::max<uint64_t>(Strings.size(), 1))
    return bad("whose name is outside of the strings");
  if (S.st_shndx == ELF::SHN_XINDEX && !hasWideIndices(Table))
    return bad("of a section whose number is missing");
  if (S.st_shndx >= ELF::SHN_LORESERVE || S.st_shndx == ELF::SHN_UNDEF)
    return Error::success();
  if (S.st_shndx >= File.sections().size())
    return bad("of section " + Twine(S.st_shndx) + ", which does not exist");
  const Section &Home = File.sections()[S.st_shndx];
  if (S.getType() != ELF::STT_FUNC || !(Home.sh_flags & ELF::SHF_EXECINSTR))
    return Error::success();
  // BOLT writes this for a function without code at the end of a section.
  if (!S.st_value && !S.st_size)
    return Error::success();
  if (S.st_value < Home.sh_addr ||
      !fits(S.st_value - Home.sh_addr, S.st_size, Home.sh_size)) {
    // Each entry of clang's jump tables for -fsanitize=cfi-icall has the size
    // of the whole table.
    const bool InArray =
        llvm::any_of(File.table<Symbol>(Table), [&](const Symbol &Other) {
          return Other.getType() == ELF::STT_FUNC &&
                 Other.st_size == S.st_size && Other.st_value < S.st_value &&
                 S.st_value - Other.st_value < S.st_size &&
                 S.st_value < Home.sh_addr + Home.sh_size;
        });
    if (!InArray)
      return bad("a function that is not inside of " + File.describe(Home));
  }
  return Error::success();
}

bool Checker::isKnownRelocation(const Rela &R) const {
  // The last one, and those for the tables of virtual functions.
  constexpr uint32_t Last = 51, VTInherit = 250, VTEntry = 251;
  const uint32_t Type = R.getType(/*isMips64EL=*/false);
  return File.header().e_machine != ELF::EM_X86_64 || Type <= Last ||
         Type == VTInherit || Type == VTEntry;
}

Error Checker::checkRelocations(const Section &S) const {
  if (S.sh_entsize != sizeof(Rela) || S.sh_size % sizeof(Rela))
    return bad(S, "does not hold relocations of the size they have");
  const Section &Table = File.sections()[S.sh_link];
  const uint64_t Symbols = S.sh_link ? Table.sh_size / sizeof(Symbol) : 1;
  // Those that the linker applied name the section they were applied to.
  const bool Applied = !(S.sh_flags & ELF::SHF_ALLOC) && S.sh_info;
  const Section &Target = File.sections()[S.sh_info];
  // Places in a compressed section are those before compression.
  const bool PlacesKnown = !(Target.sh_flags & ELF::SHF_COMPRESSED);
  // Linkers clear what refers to discarded code, which only these may do. An
  // entry of zeros elsewhere was another one, a jump table's maybe. lld -O2
  // clears those of data for which there are loader's relocations.
  const bool IsLoaders =
      File.header().e_type == ELF::ET_DYN && Target.sh_flags & ELF::SHF_WRITE;
  const bool MayBeCleared = !Applied || IsLoaders ||
                            !(Target.sh_flags & ELF::SHF_ALLOC) ||
                            File.name(Target).starts_with(".eh_frame") ||
                            File.name(Target).starts_with(".gcc_except_table");
  ArrayRef<Rela> Relocations = File.table<Rela>(S);
  for (const Rela &R : Relocations) {
    const bool None = R.getType(/*isMips64EL=*/false) == 0;
    const uint64_t Number = &R - Relocations.data();
    if (R.getSymbol(false) >= Symbols)
      return bad(S, "holds relocation " + Twine(Number) +
                        ", whose symbol does not exist");
    if ((None && MayBeCleared) || !PlacesKnown)
      continue;
    if (!isKnownRelocation(R))
      return bad(S, "holds relocation " + Twine(Number) + " of unknown type " +
                        Twine(R.getType(false)));
    if (Applied ? R.r_offset < Target.sh_addr ||
                      R.r_offset - Target.sh_addr >= Target.sh_size
                : S.sh_flags & ELF::SHF_ALLOC && !File.sectionAt(R.r_offset))
      return bad(S, "holds relocation " + Twine(Number) + ", whose place " +
                        hex(R.r_offset) + " is not inside of " +
                        (Applied ? File.describe(Target) : "a section"));
  }
  return Error::success();
}

Error Checker::checkNotes(const Section &S) const {
  constexpr uint64_t HeaderSize = 12;
  const uint64_t Align = S.sh_addralign == 8 ? 8 : 4;
  StringRef Rest = File.content(S);
  while (Rest.size() >= HeaderSize) {
    const uint64_t NameSize = support::endian::read32le(Rest.data());
    const uint64_t DescSize = support::endian::read32le(Rest.data() + 4);
    const uint64_t Desc = alignTo(HeaderSize + NameSize, Align);
    if (!fits(Desc, DescSize, Rest.size()))
      return bad(S, "holds a note that is not inside of it");
    Rest = Rest.drop_front(
        std::min<uint64_t>(alignTo(Desc + DescSize, Align), Rest.size()));
  }
  return Error::success();
}

/// Programs find these sections through their segments, BOLT by their names.
Error Checker::checkUnwindNames() {
  constexpr uint8_t Relative = dwarf::DW_EH_PE_pcrel | dwarf::DW_EH_PE_sdata4;
  for (const Segment &S : File.segments()) {
    if (S.p_type != ELF::PT_GNU_EH_FRAME || !S.p_memsz)
      continue;
    const Section *Index = File.sectionAt(S.p_vaddr);
    if (!Index || File.name(*Index) != ".eh_frame_hdr")
      return bad(S, "is not the section .eh_frame_hdr");
    const StringRef Bytes = File.content(*Index);
    if (Bytes.size() < 8 || Bytes[1] != Relative)
      continue;
    const int32_t Distance = support::endian::read32le(Bytes.data() + 4);
    const Section *Frames = File.sectionAt(Index->sh_addr + 4 + Distance);
    if (!Frames || File.name(*Frames) != ".eh_frame")
      return bad(*Index, "does not lead to the section .eh_frame");
  }
  return Error::success();
}

/// Unwind records and the exception tables they lead to.
Error Checker::checkFrames(const Section &S) {
  Expected<std::vector<FrameRecord>> Frames = readFrames(File, S);
  if (!Frames)
    return Frames.takeError();
  for (const FrameRecord &Frame : *Frames) {
    // Linkers leave records of code that they removed; those begin at 0.
    if (!Frame.Begin)
      continue;
    if (IsLinked && File.isCode(Frame.Begin) &&
        (Frame.End < Frame.Begin ||
         !File.isMapped(Frame.Begin, Frame.End - Frame.Begin)))
      return bad(S, "holds a record at " + hex(Frame.Offset) + " for " +
                        hex(Frame.Begin) + " to " + hex(Frame.End) +
                        ", which is more than the code there");
    if (!Frame.LSDA)
      continue;
    const Section *Tables = File.sectionAt(Frame.LSDA);
    if (!Tables)
      return bad(S, "holds a record at " + hex(Frame.Offset) +
                        ", whose exception table is in no section");
    // Languages may have tables of their own elsewhere.
    if (!File.name(*Tables).contains("gcc_except_table"))
      continue;
    Expected<std::vector<CallSite>> Sites = readCallSites(File, *Tables, Frame);
    if (!Sites)
      return Sites.takeError();
    if (IsLinked)
      if (Error E = checkCallSites(*Tables, Frame, *Sites))
        return E;
  }
  return Error::success();
}

/// Rejects call sites that compilers never write, and BOLT gets wrong.
Error Checker::checkCallSites(const Section &Tables, const FrameRecord &Frame,
                              ArrayRef<CallSite> Sites) {
  const std::string Table =
      "holds a table for the code at " + hex(Frame.Begin) + " with ";
  for (const CallSite &Site : Sites) {
    if (isInOtherFunction(Site.LandingPad, Frame))
      return bad(Tables, Table + "a landing pad in another function");
    if (Site.HasAction && !Site.LandingPad)
      return bad(Tables, Table + "an action but no landing pad");
  }
  return Error::success();
}

void Checker::findFunctions() {
  for (const Section &S : File.sections().drop_front())
    if (S.sh_type == ELF::SHT_SYMTAB)
      for (const Symbol &Sym : File.table<Symbol>(S))
        if (Sym.getType() == ELF::STT_FUNC && Sym.st_size)
          Functions.push_back(
              {Sym.st_value, Sym.st_size,
               ElfView::string(File.linkedStrings(S), Sym.st_name)});
  llvm::sort(Functions, [](const Function &A, const Function &B) {
    return A.Begin < B.Begin;
  });
}

/// Parts of split functions lead to each other; compilers say so in their
/// names.
bool Checker::isInOtherFunction(uint64_t Address, const FrameRecord &Frame) {
  if (!Address || (Address >= Frame.Begin && Address <= Frame.End))
    return false;
  if (Functions.empty())
    findFunctions();
  const auto After =
      llvm::upper_bound(Functions, Address, [](uint64_t A, const Function &F) {
        return A < F.Begin;
      });
  if (After == Functions.begin())
    return false;
  // One place may have several names.
  bool IsInside = false;
  const uint64_t Begin = std::prev(After)->Begin;
  for (auto At = After; At != Functions.begin() && (--At)->Begin == Begin;) {
    IsInside |= Address - Begin < At->Size;
    if (At->Name.contains("cold") || At->Name.contains("part") ||
        At->Name.contains("split"))
      return false;
  }
  return IsInside && Begin != Frame.Begin;
}

} // namespace

Error graupel::checkStructure(const ElfView &File) {
  return Checker(File, /*IsLinked=*/false).run();
}

/// Says of a file that seems to be damaged or stripped what probably did it.
static Error explain(const ElfView &File, Error E) {
  if (llvm::any_of(File.sections(), [&](const Section &S) {
        return File.name(S) == ".note.bolt_info" ||
               File.name(S).starts_with(".bolt.org");
      })) {
    consumeError(std::move(E));
    return badFile("was already processed by BOLT",
                   "give the program as it was linked");
  }
  // GNU strip numbers sections anew, but not in .dynsym when it takes out the
  // relocations.
  const std::string Text = toString(std::move(E));
  if (File.find(".symtab") || !StringRef(Text).contains("(.dynsym) holds"))
    return createStringError(Text);
  return badFile(StringRef(Text).split(';').first +
                     ", as GNU strip leaves files that were linked with "
                     "--emit-relocs",
                 "give the file as it was linked");
}

Error graupel::checkElf(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (!File)
    return File.takeError();
  // Before their tables look damaged.
  if (Error E = checkBlockSections(*File))
    return E;
  if (Error E = checkCompactRelocations(*File))
    return E;
  if (Error E = Checker(*File, /*IsLinked=*/true).run())
    return explain(*File, std::move(E));
  if (Error E = checkSupported(*File))
    return explain(*File, std::move(E));
  return checkAppliedRelocations(*File);
}
