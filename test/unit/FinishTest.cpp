//===- FinishTest.cpp - Headers that other tools can work with ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish/ProgramHeaders.h"
#include "Finish/SectionOrder.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace graupel;

namespace {

using Header = ElfView::Header;
using Segment = ElfView::Segment;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Dyn = ElfView::Dyn;

/// A file as BOLT writes it: the program headers are in the second segment, and
/// between the ELF header and the first section is room for four.
class File {
public:
  static constexpr uint64_t Interp = 0x120, Note = 0x140, Hash = 0x168,
                            Data = 0x600, Dynamic = 0x700, Table = 0x1000,
                            Text = 0x1400, Symbols = 0x1500, Names = 0x1700,
                            Headers = 0x1800, Base = 0x400000;
  uint64_t HashSize = 0x20;
  uint32_t DataType = ELF::SHT_PROGBITS;
  uint64_t DataOffset = Data;
  StringRef SymbolName = "__abi_tag";
  uint64_t SymbolAt = Base + Note;
  uint16_t SymbolSection = 2; ///< The note's.

  std::vector<char> make() {
    Bytes.assign(Headers + 10 * sizeof(Section), 0);
    Strings = std::string(1, '\0');
    addSegments();
    addSections();
    addSymbols();
    Dyn Entries[] = {{}, {}, {}};
    Entries[0].d_tag = ELF::DT_GNU_HASH;
    Entries[0].d_un.d_ptr = Base + Hash;
    Entries[1].d_tag = ELF::DT_STRSZ;
    Entries[1].d_un.d_val = Base + Hash; // No address, whatever it looks like.
    put(Dynamic, Entries, sizeof(Entries));
    put(Names, Strings.data(), Strings.size());
    for (uint64_t At : {Interp, Note, Hash, Text})
      Bytes[At] = char(At >> 3);
    addHeader();
    return Bytes;
  }

private:
  std::vector<char> Bytes;
  std::string Strings;
  std::vector<Segment> Segments;
  std::vector<Section> Sections;

  void put(uint64_t At, const void *From, size_t Size) {
    std::memcpy(Bytes.data() + At, From, Size);
  }
  uint32_t name(StringRef Name) {
    const uint32_t At = Strings.size();
    Strings += (Name + StringRef("\0", 1)).str();
    return At;
  }
  void segment(uint32_t Type, uint64_t Offset, uint64_t Size, uint32_t Flags) {
    Segment S;
    std::memset(&S, 0, sizeof(S));
    S.p_type = Type;
    S.p_flags = Flags;
    S.p_offset = Offset;
    S.p_vaddr = Base + Offset;
    S.p_paddr = Base + Offset;
    S.p_filesz = Size;
    S.p_memsz = Size;
    S.p_align = 8;
    Segments.push_back(S);
  }
  void addSegments() {
    Segments.clear();
    segment(ELF::PT_PHDR, Table, 6 * sizeof(Segment), ELF::PF_R);
    segment(ELF::PT_INTERP, Interp, 0x1c, ELF::PF_R);
    segment(ELF::PT_LOAD, 0, 0x800, ELF::PF_R);
    segment(ELF::PT_LOAD, Table, 0x480, ELF::PF_R | ELF::PF_X);
    segment(ELF::PT_DYNAMIC, Dynamic, 3 * sizeof(Dyn), ELF::PF_R);
    segment(ELF::PT_NOTE, Note, 0x24, ELF::PF_R);
    put(Table, Segments.data(), Segments.size() * sizeof(Segment));
  }
  void section(StringRef Name, uint32_t Type, uint64_t Flags, uint64_t Offset,
               uint64_t Size, uint64_t Align, uint32_t Link = 0) {
    Section S;
    std::memset(&S, 0, sizeof(S));
    S.sh_name = Name.empty() ? 0 : name(Name);
    S.sh_type = Type;
    S.sh_flags = Flags;
    S.sh_addr = Flags & ELF::SHF_ALLOC ? Base + Offset : 0;
    S.sh_offset = Offset;
    S.sh_size = Size;
    S.sh_addralign = Align;
    S.sh_link = Link;
    Sections.push_back(S);
  }
  void addSections() {
    Sections.clear();
    section("", ELF::SHT_NULL, 0, 0, 0, 0);
    section(".interp", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, Interp, 0x1c, 1);
    section(".note", ELF::SHT_NOTE, ELF::SHF_ALLOC, Note, 0x24, 4);
    section(".gnu.hash", ELF::SHT_GNU_HASH, ELF::SHF_ALLOC, Hash, HashSize, 8);
    section(".data", DataType, ELF::SHF_ALLOC, DataOffset, 0x20, 8);
    section(".dynamic", ELF::SHT_DYNAMIC, ELF::SHF_ALLOC, Dynamic,
            3 * sizeof(Dyn), 8);
    section(".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR,
            Text, 0x40, 16);
    section(".symtab", ELF::SHT_SYMTAB, 0, Symbols, 3 * sizeof(Symbol), 8, 8);
    section(".names", ELF::SHT_STRTAB, 0, Names, 0x100, 1);
    put(Headers, Sections.data(), Sections.size() * sizeof(Section));
  }
  void addSymbols() {
    Symbol Symbols3[3];
    std::memset(Symbols3, 0, sizeof(Symbols3));
    Symbols3[1].st_name = name(SymbolName);
    Symbols3[1].st_value = SymbolAt;
    Symbols3[1].st_shndx = SymbolSection;
    Symbols3[2].st_name = name("code");
    Symbols3[2].st_value = Base + Text;
    Symbols3[2].st_shndx = 6;
    put(Symbols, Symbols3, sizeof(Symbols3));
  }
  void addHeader() {
    Header H;
    std::memset(&H, 0, sizeof(H));
    std::memcpy(H.e_ident, "\177ELF\2\1\1", 7);
    H.e_version = 1;
    H.e_type = ELF::ET_EXEC;
    H.e_machine = ELF::EM_X86_64;
    H.e_phoff = Table;
    H.e_shoff = Headers;
    H.e_ehsize = sizeof(Header);
    H.e_phentsize = sizeof(Segment);
    H.e_phnum = Segments.size();
    H.e_shentsize = sizeof(Section);
    H.e_shnum = Sections.size();
    H.e_shstrndx = 8;
    put(0, &H, sizeof(H));
  }
};

StringRef text(const std::vector<char> &Bytes) {
  return {Bytes.data(), Bytes.size()};
}

/// The reason against moving the headers of \p Bytes; empty after it was done.
std::string move(std::vector<char> &Bytes) {
  const std::vector<char> Before = Bytes;
  const ElfView Input = cantFail(ElfView::open(text(Before)));
  auto Plan = ProgramHeaderPlan::make(Input, Input);
  if (!Plan)
    return toString(Plan.takeError());
  EXPECT_TRUE(Plan->has_value());
  Bytes.resize((*Plan)->fileSize());
  (*Plan)->apply(Bytes);
  return {};
}

/// What the finished file must fulfill, wherever its first sections went.
void expectSound(const std::vector<char> &Bytes) {
  const ElfView View = cantFail(ElfView::open(text(Bytes)));
  EXPECT_EQ(View.header().e_phoff, sizeof(Header));
  const uint64_t End = sizeof(Header) + View.segments().size() * sizeof(Segment);
  for (const Section &S : View.sections().drop_front()) {
    EXPECT_GE(S.sh_offset, End);
    if (!(S.sh_flags & ELF::SHF_ALLOC))
      continue;
    const Segment *Holder = View.segmentAt(S.sh_addr);
    ASSERT_TRUE(Holder);
    EXPECT_EQ(S.sh_addr - Holder->p_vaddr, S.sh_offset - Holder->p_offset);
    EXPECT_LE(S.sh_addr + S.sh_size, Holder->p_vaddr + Holder->p_filesz);
    EXPECT_EQ(S.sh_addr % S.sh_addralign, 0u);
  }
  for (auto [Name, Was] : {std::pair(".interp", File::Interp),
                           std::pair(".note", File::Note),
                           std::pair(".gnu.hash", File::Hash),
                           std::pair(".text", File::Text)})
    EXPECT_EQ(View.content(*View.find(Name)).front(), char(Was >> 3));
  for (const Segment &S : View.segments()) {
    if (S.p_type == ELF::PT_NOTE) {
      EXPECT_EQ(S.p_vaddr, View.find(".note")->sh_addr);
      EXPECT_EQ(S.p_offset, View.find(".note")->sh_offset);
    }
    if (S.p_type == ELF::PT_INTERP) {
      EXPECT_EQ(S.p_vaddr, View.find(".interp")->sh_addr);
    }
    if (S.p_type == ELF::PT_PHDR) {
      EXPECT_EQ(S.p_vaddr, File::Base + sizeof(Header));
      EXPECT_EQ(S.p_filesz, End - sizeof(Header));
    }
  }
  ArrayRef<Dyn> Dynamic = View.dynamic();
  EXPECT_EQ(Dynamic[0].d_un.d_ptr, View.find(".gnu.hash")->sh_addr);
  EXPECT_EQ(Dynamic[1].d_un.d_val, File::Base + File::Hash);
  ArrayRef<Symbol> Symbols = View.table<Symbol>(*View.find(".symtab"));
  EXPECT_EQ(Symbols[1].st_value, View.find(".note")->sh_addr);
  EXPECT_EQ(Symbols[2].st_value, File::Base + File::Text);
}

TEST(Finish, HeadersAndFirstSectionsExchangeTheirPlaces) {
  std::vector<char> Bytes = File().make();
  const size_t Size = Bytes.size();
  EXPECT_EQ(move(Bytes), "");
  EXPECT_EQ(Bytes.size(), Size);
  expectSound(Bytes);
}

TEST(Finish, FirstSectionsThatAreLargerGetASegment) {
  File F;
  F.HashSize = 0x480;
  std::vector<char> Bytes = F.make();
  EXPECT_EQ(move(Bytes), "");
  expectSound(Bytes);
  const ElfView View = cantFail(ElfView::open(text(Bytes)));
  EXPECT_EQ(View.segments().size(), 7u);
  EXPECT_FALSE(View.segmentAt(View.find(".gnu.hash")->sh_addr)->p_flags &
               ELF::PF_X);
}

TEST(Finish, DataIsInTheWay) {
  File F;
  F.HashSize = 0;
  F.DataOffset = File::Hash;
  std::vector<char> Bytes = F.make();
  const std::vector<char> Before = Bytes;
  EXPECT_NE(move(Bytes).find("(.data) is in the way"), std::string::npos);
  EXPECT_EQ(Bytes, Before);
}

TEST(Finish, SomebodysSymbolIsInTheWay) {
  File F;
  F.SymbolName = "myBuildID";
  std::vector<char> Bytes = F.make();
  EXPECT_NE(move(Bytes).find("a symbol is in the way"), std::string::npos);
}

TEST(Finish, SymbolsOfSectionsThatAreNotLoadedHaveNoAddress) {
  File F;
  F.SymbolName = "inMap";
  F.SymbolSection = 8; // The names.
  std::vector<char> Bytes = F.make();
  EXPECT_EQ(move(Bytes), "");
  const ElfView View = cantFail(ElfView::open(text(Bytes)));
  EXPECT_EQ(View.table<Symbol>(*View.find(".symtab"))[1].st_value, F.SymbolAt);
}

TEST(Finish, HeadersInTheirPlaceStay) {
  std::vector<char> Bytes = File().make();
  EXPECT_EQ(move(Bytes), "");
  const ElfView View = cantFail(ElfView::open(text(Bytes)));
  auto Plan = cantFail(ProgramHeaderPlan::make(View, View));
  EXPECT_FALSE(Plan.has_value());
}

TEST(Finish, SectionsAreInTheOrderOfTheFile) {
  std::vector<char> Bytes = File().make();
  EXPECT_EQ(move(Bytes), "");
  EXPECT_TRUE(sortSections(cantFail(ElfView::open(text(Bytes))), Bytes));
  expectSound(Bytes);
  const ElfView View = cantFail(ElfView::open(text(Bytes)));
  EXPECT_TRUE(llvm::is_sorted(View.sections(), [](const auto &A, const auto &B) {
    return A.sh_offset < B.sh_offset;
  }));
  const Section &Table = *View.find(".symtab");
  EXPECT_EQ(View.name(View.sections()[Table.sh_link]), ".names");
  ArrayRef<Symbol> Symbols = View.table<Symbol>(Table);
  EXPECT_EQ(View.name(View.sections()[Symbols[1].st_shndx]), ".note");
  EXPECT_EQ(View.name(View.sections()[Symbols[2].st_shndx]), ".text");
  EXPECT_FALSE(sortSections(View, Bytes));
}

} // namespace
