//===- Elf/ElfView.cpp - An ELF file as its tables ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens an ELF file and answers questions about its parts. All contents that
// are returned lie inside of the file.
//
// 1. open() checks the header, the program headers, the section headers and
//    then that all contents are inside of the file. It sorts the load segments
//    by address.
// 2. end() and appended() tell where the known parts of the file end and what
//    is behind them.
// 3. string() to isAppliedToProgram() read names, contents and links of
//    sections. A string or a linked section that is outside of its table gives
//    an empty result.
// 4. memorySpan() to bytesAt() look up addresses in the load segments and the
//    sections. Load segments that adjoin count as one, but code does not go on
//    in data.
// 5. dynamic() returns the entries before DT_NULL.
//
//===----------------------------------------------------------------------===//

#include "ElfView.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

static constexpr StringLiteral Complete = "is the file complete?";
static constexpr StringLiteral Damaged = "it is damaged, link it again";

Error graupel::badFile(const Twine &Problem, StringRef ToDo) {
  return createStringError(Problem + "; " + ToDo);
}

std::string graupel::hex(uint64_t Number) {
  return "0x" + utohexstr(Number, /*LowerCase=*/true);
}

Expected<ElfView> ElfView::open(StringRef Data) {
  ElfView View;
  View.Data = Data;
  if (Error E = View.readHeader())
    return std::move(E);
  if (Error E = View.readSegments())
    return std::move(E);
  if (Error E = View.readSections())
    return std::move(E);
  if (Error E = View.checkContents())
    return std::move(E);
  return View;
}

Error ElfView::readHeader() {
  if (Data.size() < sizeof(Header))
    return badFile("the file ends inside of the ELF header", Complete);
  Head = reinterpret_cast<const Header *>(Data.data());
  if (!Head->checkMagic())
    return badFile("not an ELF file", "is it the right file?");
  if (Head->getFileClass() != ELF::ELFCLASS64 ||
      Head->getDataEncoding() != ELF::ELFDATA2LSB)
    return badFile("not a 64-bit little-endian ELF file",
                   "only those can be optimized");
  if (Head->e_version != ELF::EV_CURRENT ||
      Head->e_ident[ELF::EI_VERSION] != ELF::EV_CURRENT)
    return badFile("unknown ELF version", Damaged);
  return Error::success();
}

Error ElfView::readSegments() {
  if (!Head->e_phnum)
    return badFile("has no program headers",
                   "give a program or shared library as it was linked");
  if (Head->e_phentsize != sizeof(Segment))
    return badFile("program headers of " + Twine(Head->e_phentsize) + " bytes",
                   Damaged);
  if (!fits(Head->e_phoff, Head->e_phnum * sizeof(Segment), Data.size()))
    return badFile("the program headers are not inside of the file", Complete);
  Segments =
      ArrayRef(reinterpret_cast<const Segment *>(Data.data() + Head->e_phoff),
               Head->e_phnum);
  for (const Segment &S : Segments)
    if (S.p_type == ELF::PT_LOAD && S.p_memsz)
      Loads.push_back(&S);
  llvm::sort(Loads, [](const Segment *A, const Segment *B) {
    return A->p_vaddr < B->p_vaddr;
  });
  return Error::success();
}

Error ElfView::readSections() {
  if (!Head->e_shoff)
    return badFile("has no section headers",
                   "give the file as it was linked, before it was stripped");
  if (Head->e_shentsize != sizeof(Section))
    return badFile("section headers of " + Twine(Head->e_shentsize) + " bytes",
                   Damaged);
  if (!fits(Head->e_shoff, sizeof(Section), Data.size()))
    return badFile("the section headers are not inside of the file", Complete);
  const auto *First =
      reinterpret_cast<const Section *>(Data.data() + Head->e_shoff);
  // Numbers that do not fit the header are in section 0.
  const uint64_t Count = Head->e_shnum ? Head->e_shnum : First->sh_size;
  if (!Count || Count > Data.size() / sizeof(Section) ||
      !fits(Head->e_shoff, Count * sizeof(Section), Data.size()))
    return badFile("the section headers are not inside of the file", Complete);
  Sections = ArrayRef(First, Count);
  NamesIndex = Head->e_shstrndx == ELF::SHN_XINDEX ? uint32_t(First->sh_link)
                                                   : Head->e_shstrndx;
  if (NamesIndex >= Count || Sections[NamesIndex].sh_type != ELF::SHT_STRTAB)
    return badFile("the table of section names (section " + Twine(NamesIndex) +
                       ") is not a string table",
                   Damaged);
  return Error::success();
}

/// Whether only the headers of a program's sections are left, even of all code.
static bool isDebugFile(ArrayRef<ElfView::Section> Sections) {
  bool HasCode = false;
  for (const ElfView::Section &S : Sections)
    if (S.sh_flags & ELF::SHF_EXECINSTR) {
      if (S.sh_type != ELF::SHT_NOBITS)
        return false;
      HasCode = true;
    }
  return HasCode;
}

Error ElfView::checkContents() const {
  // Their segments may have the program's places in the file.
  if (isDebugFile(Sections))
    return badFile("holds only debug information (objcopy --only-keep-debug)",
                   "give the program or library that it belongs to");
  for (const Segment &S : Segments)
    if (!fits(S.p_offset, S.p_filesz, Data.size()))
      return badFile("segment " + Twine(&S - Segments.data()) +
                         " is not inside of the file",
                     Complete);
  for (const Section &S : Sections.drop_front())
    if (S.sh_type != ELF::SHT_NOBITS && S.sh_type != ELF::SHT_NULL &&
        !fits(S.sh_offset, S.sh_size, Data.size()))
      return badFile(describe(S) + " is not inside of the file", Complete);
  for (const Section &S : Sections.drop_front()) {
    if (S.sh_type == ELF::SHT_STRTAB && S.sh_size && content(S).back())
      return badFile("the strings of " + describe(S) + " have no end", Damaged);
    if (S.sh_name >= Sections[NamesIndex].sh_size)
      return badFile("section " + Twine(&S - Sections.data()) +
                         " has its name outside of the table of names",
                     Damaged);
  }
  return Error::success();
}

uint64_t ElfView::end() const {
  uint64_t End = 0;
  forEachPart([&](uint64_t Offset, uint64_t Size) {
    End = std::max(End, Offset + Size);
  });
  return End;
}

StringRef ElfView::appended() const {
  const StringRef Rest =
      Data.drop_front(std::min<uint64_t>(end(), Data.size()));
  return Rest.find_first_not_of('\0') == StringRef::npos ? StringRef() : Rest;
}

StringRef ElfView::string(StringRef Strings, uint64_t Offset) {
  if (Offset >= Strings.size())
    return {};
  return Strings.drop_front(Offset).split('\0').first;
}

StringRef ElfView::name(const Section &S) const {
  const Section &Names = Sections[NamesIndex];
  if (!fits(Names.sh_offset, Names.sh_size, Data.size()))
    return {};
  return string(content(Names), S.sh_name);
}

std::string ElfView::describe(const Section &S) const {
  std::string Text = "section " + std::to_string(&S - Sections.data());
  StringRef Name = name(S);
  // A damaged name would damage the message.
  if (!Name.empty() && Name.size() < 80 &&
      all_of(Name, [](char C) { return isPrint(C) && C != ';' && C != ':'; }))
    Text += " (" + Name.str() + ")";
  return Text;
}

const ElfView::Section *ElfView::find(StringRef Name) const {
  for (const Section &S : Sections.drop_front())
    if (name(S) == Name)
      return &S;
  return nullptr;
}

StringRef ElfView::content(const Section &S) const {
  if (S.sh_type == ELF::SHT_NOBITS || S.sh_type == ELF::SHT_NULL)
    return {};
  return Data.substr(S.sh_offset, S.sh_size);
}

StringRef ElfView::content(const Segment &S) const {
  return Data.substr(S.p_offset, S.p_filesz);
}

StringRef ElfView::linkedStrings(const Section &S) const {
  return S.sh_link < Sections.size() ? content(Sections[S.sh_link])
                                     : StringRef();
}

std::vector<uint64_t> ElfView::packedPlaces(const Section &S) const {
  // An even entry is an address, an odd one has a bit for each of the 63 words
  // that follow.
  constexpr uint64_t WordSize = 8;
  std::vector<uint64_t> Found;
  uint64_t Next = 0;
  for (const support::ulittle64_t &Entry : table<support::ulittle64_t>(S)) {
    if (!(Entry & 1)) {
      Found.push_back(Entry);
      Next = Entry + WordSize;
      continue;
    }
    for (unsigned Bit = 1; Bit < 64; ++Bit)
      if (Entry >> Bit & 1)
        Found.push_back(Next + (Bit - 1) * WordSize);
    Next += 63 * WordSize;
  }
  return Found;
}

bool ElfView::isAppliedToProgram(const Section &S) const {
  return S.sh_type == ELF::SHT_RELA && !(S.sh_flags & ELF::SHF_ALLOC) &&
         S.sh_link && S.sh_link < Sections.size() && S.sh_info &&
         S.sh_info < Sections.size() &&
         Sections[S.sh_info].sh_flags & ELF::SHF_ALLOC;
}

uint64_t ElfView::memorySpan() const {
  return Loads.empty() ? 0
                       : Loads.back()->p_vaddr + Loads.back()->p_memsz -
                             Loads.front()->p_vaddr;
}

const ElfView::Segment *ElfView::segmentAt(uint64_t Address) const {
  auto It = std::upper_bound(
      Loads.begin(), Loads.end(), Address,
      [](uint64_t A, const Segment *S) { return A < S->p_vaddr; });
  if (It == Loads.begin())
    return nullptr;
  const Segment *S = *std::prev(It);
  return Address - S->p_vaddr < S->p_memsz ? S : nullptr;
}

const ElfView::Section *ElfView::sectionAt(uint64_t Address) const {
  for (const Section &S : Sections)
    if (S.sh_flags & ELF::SHF_ALLOC && Address >= S.sh_addr &&
        Address - S.sh_addr < S.sh_size &&
        !(S.sh_flags & ELF::SHF_TLS && S.sh_type == ELF::SHT_NOBITS))
      return &S;
  return nullptr;
}

/// Whether \p Next goes on where \p S ends. Code is apart from what is not.
static bool goesOn(const ElfView::Segment &S, const ElfView::Segment &Next) {
  return Next.p_vaddr == S.p_vaddr + S.p_memsz &&
         !((S.p_flags ^ Next.p_flags) & ELF::PF_X);
}

static bool goesOnInFile(const ElfView::Segment &S,
                         const ElfView::Segment &Next) {
  return goesOn(S, Next) && S.p_filesz == S.p_memsz &&
         Next.p_offset == S.p_offset + S.p_filesz;
}

const ElfView::Segment *ElfView::behind(const Segment &S) const {
  auto It = std::upper_bound(
      Loads.begin(), Loads.end(), S.p_vaddr,
      [](uint64_t A, const Segment *Load) { return A < Load->p_vaddr; });
  return It == Loads.end() ? nullptr : *It;
}

bool ElfView::isMapped(uint64_t Address, uint64_t Size) const {
  const Segment *S = segmentAt(Address);
  while (S && !fits(Address - S->p_vaddr, Size, S->p_memsz)) {
    const Segment *Next = behind(*S);
    if (!Next || !goesOn(*S, *Next))
      return false;
    Size -= Next->p_vaddr - Address;
    Address = Next->p_vaddr;
    S = Next;
  }
  return S;
}

bool ElfView::isCode(uint64_t Address) const {
  const Segment *S = segmentAt(Address);
  return S && S->p_flags & ELF::PF_X;
}

bool ElfView::isCode(const Symbol &S) const {
  return S.st_shndx != ELF::SHN_UNDEF && S.st_shndx != ELF::SHN_ABS &&
         isCode(S.st_value);
}

StringRef ElfView::bytesAt(uint64_t Address) const {
  const Segment *S = segmentAt(Address);
  if (!S)
    return {};
  const uint64_t Begin =
      S->p_offset + std::min<uint64_t>(Address - S->p_vaddr, S->p_filesz);
  for (const Segment *Next = behind(*S); Next && goesOnInFile(*S, *Next);
       Next = behind(*S))
    S = Next;
  return Data.slice(Begin, S->p_offset + S->p_filesz);
}

ArrayRef<ElfView::Dyn> ElfView::dynamic() const {
  for (const Segment &S : Segments)
    if (S.p_type == ELF::PT_DYNAMIC) {
      ArrayRef<Dyn> Entries = entries<Dyn>(content(S));
      return Entries.take_until(
          [](const Dyn &D) { return D.d_tag == ELF::DT_NULL; });
    }
  return {};
}
