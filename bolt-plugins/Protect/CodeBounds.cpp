//===- Protect/CodeBounds.cpp - Code between two symbols ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Linkers define __start_NAME and __stop_NAME around a section whose name is
//    a C identifier. Others are made by linker scripts and assembly; these have
//    no type and no size, and their names say what they are: init_begin and
//    init_end, camlMain.code_begin and camlMain.code_end, _sinit and _einit.
//    Collect such pairs in code.
// 2. Find out which of them are referred to: by name, or by an address that is
//    counted from a section. The assembler leaves no relocation where both are
//    in the same object; pairs of local symbols count as referred to.
// 3. etext is the end of all code, and linkers define it only for those who
//    ask; mold does so for everybody, as a local symbol.
// 4. Without relocations any pair counts, and, as symbols may be missing, any
//    section of code with a C name.
//
//===----------------------------------------------------------------------===//

#include "CodeBounds.h"
#include "DataWords.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

/// The words in which the names of a beginning and of its end differ.
struct BoundWords {
  StringLiteral Begin, End;
};
constexpr BoundWords Words[] = {
    {"start", "end"}, {"start", "stop"}, {"begin", "end"},
    {"START", "END"}, {"START", "STOP"}, {"BEGIN", "END"},
    {"Start", "End"}, {"Start", "Stop"}, {"Begin", "End"},
};
/// _stext and _etext.
constexpr BoundWords Letters[] = {{"_s", "_e"}, {"__s", "__e"}};

constexpr size_t LongestName = 200;

bool isCode(const Section &S) {
  return S.sh_flags & ELF::SHF_ALLOC && S.sh_flags & ELF::SHF_EXECINSTR;
}

bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name[0]) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

/// The names that the end of a range may have which begins at \p Name.
std::vector<std::string> namesOfEnd(StringRef Name) {
  std::vector<std::string> Names;
  if (Name.size() > LongestName)
    return Names;
  auto replaced = [&](size_t At, const BoundWords &W) {
    Names.push_back(
        (Name.take_front(At) + W.End + Name.drop_front(At + W.Begin.size()))
            .str());
  };
  for (const BoundWords &W : Words)
    if (size_t At = Name.rfind(W.Begin); At != StringRef::npos)
      replaced(At, W);
  for (const BoundWords &W : Letters)
    if (Name.starts_with(W.Begin))
      replaced(0, W);
  return Names;
}

class Finder {
public:
  explicit Finder(const ElfView &File)
      : File(File), HasRelocations(hasAppliedRelocations(File)) {}

  std::vector<CodeRange> run() {
    for (const Section &S : File.sections().drop_front())
      if (S.sh_type == ELF::SHT_SYMTAB || S.sh_type == ELF::SHT_DYNSYM)
        lookAtSymbols(S);
    if (!Labels.empty() && HasRelocations)
      for (const Section &S : File.sections().drop_front())
        if (File.isAppliedToProgram(S))
          lookAtRelocations(S);
    for (const auto &Entry : Labels)
      pair(Entry.first(), Entry.second);
    if (!HasRelocations)
      addNamedSections();
    return std::move(Ranges);
  }

private:
  struct Label {
    uint64_t Address;
    bool IsLocal, IsExported;
    unsigned Object; ///< A number of the object that a local one is of.
  };

  const ElfView &File;
  const bool HasRelocations;
  StringMap<SmallVector<Label, 1>> Labels;
  DenseSet<uint64_t> Referred; ///< Addresses of labels.
  DenseSet<uint64_t> Addresses;
  std::vector<CodeRange> Ranges;

  /// True for an address in a section of code, or at its end.
  bool isInCode(uint64_t Address) const {
    return any_of(File.sections().drop_front(), [&](const Section &S) {
      return isCode(S) && Address >= S.sh_addr &&
             Address - S.sh_addr <= S.sh_size;
    });
  }

  /// Linker scripts may define labels without a section, in programs that are
  /// not moved.
  bool isLabel(const Symbol &S) const {
    return S.getType() == ELF::STT_NOTYPE && !S.st_size && S.st_name &&
           S.st_shndx != ELF::SHN_UNDEF &&
           (S.st_shndx != ELF::SHN_ABS || File.header().e_type != ELF::ET_DYN);
  }

  // Step 1.
  void lookAtSymbols(const Section &Table) {
    const StringRef Strings = File.linkedStrings(Table);
    unsigned Object = 0;
    for (const Symbol &S : File.table<Symbol>(Table)) {
      Object += S.getType() == ELF::STT_FILE;
      if (!isLabel(S) || !isInCode(S.st_value))
        continue;
      Labels[ElfView::string(Strings, S.st_name)].push_back(
          {S.st_value, S.getBinding() == ELF::STB_LOCAL,
           Table.sh_type == ELF::SHT_DYNSYM, Object});
      Addresses.insert(S.st_value);
    }
  }

  // Step 2.
  void lookAtRelocations(const Section &Table) {
    const Section &Place = File.sections()[Table.sh_info];
    if (File.name(Place).starts_with(".eh_frame"))
      return;
    ArrayRef<Symbol> Symbols =
        File.table<Symbol>(File.sections()[Table.sh_link]);
    for (const Rela &R : File.table<Rela>(Table)) {
      const Symbol &S = Symbols[R.getSymbol(/*isMips64EL=*/false)];
      if (isLabel(S))
        Referred.insert(S.st_value);
      else if (S.getType() == ELF::STT_SECTION)
        lookAtAddress(R, S.st_value + R.r_addend, isCode(Place));
    }
  }

  void lookAtAddress(const Rela &R, uint64_t Target, bool InCode) {
    switch (R.getType(/*isMips64EL=*/false)) {
    case ELF::R_X86_64_PC32:
      // Behind the displacement there may be an immediate of up to 4 bytes.
      for (unsigned Behind : {4, 5, 6, 8})
        refer(Target + (InCode ? Behind : 0));
      return;
    case ELF::R_X86_64_64:
    case ELF::R_X86_64_32:
    case ELF::R_X86_64_32S:
      return refer(Target);
    default:
      return;
    }
  }

  void refer(uint64_t Address) {
    if (Addresses.contains(Address))
      Referred.insert(Address);
  }

  void pair(StringRef Name, ArrayRef<Label> Begins) {
    for (const std::string &Other : namesOfEnd(Name))
      if (auto Ends = Labels.find(Other); Ends != Labels.end())
        for (const Label &Begin : Begins)
          if (const Label *End = endOf(Begin, Ends->second);
              End && isAskedFor(Begin, *End))
            Ranges.push_back({Begin.Address, End->Address});
  }

  /// The next one of several labels of the same name.
  static const Label *endOf(const Label &Begin, ArrayRef<Label> Ends) {
    const Label *Next = nullptr;
    for (const Label &End : Ends)
      if (End.Address > Begin.Address && (!Next || End.Address < Next->Address))
        Next = &End;
    return Next;
  }

  bool isAskedFor(const Label &Begin, const Label &End) const {
    auto mayBe = [&](const Label &L) {
      return L.IsExported || Referred.contains(L.Address);
    };
    return !HasRelocations || mayBe(Begin) || mayBe(End) ||
           (Begin.IsLocal && End.IsLocal && Begin.Object == End.Object &&
            !isMadeByLinker(Begin, End));
  }

  /// Some linkers define symbols of all sections, as local ones.
  bool isMadeByLinker(const Label &Begin, const Label &End) const {
    return any_of(File.sections().drop_front(), [&](const Section &S) {
      return isCode(S) && S.sh_addr == Begin.Address &&
             S.sh_addr + S.sh_size == End.Address;
    });
  }

  // Step 4.
  void addNamedSections() {
    for (const Section &S : File.sections().drop_front())
      if (isCode(S) && isIdentifier(File.name(S)))
        Ranges.push_back({S.sh_addr, S.sh_addr + S.sh_size});
  }
};

bool isTextEnd(StringRef Name) {
  return Name == "etext" || Name == "_etext" || Name == "__etext";
}

/// True if a relocation that \p Table applies to the program names etext.
bool namesTextEnd(const ElfView &File, const Section &Table) {
  const Section &SymbolTable = File.sections()[Table.sh_link];
  ArrayRef<Symbol> Symbols = File.table<Symbol>(SymbolTable);
  const StringRef Strings = File.linkedStrings(SymbolTable);
  return any_of(File.table<Rela>(Table), [&](const Rela &R) {
    const Symbol &S = Symbols[R.getSymbol(/*isMips64EL=*/false)];
    return S.getType() == ELF::STT_NOTYPE &&
           isTextEnd(ElfView::string(Strings, S.st_name));
  });
}

/// True if \p Table has etext for others than its linker.
bool definesTextEnd(const ElfView &File, const Section &Table) {
  const StringRef Strings = File.linkedStrings(Table);
  return any_of(File.table<Symbol>(Table), [&](const Symbol &S) {
    return S.st_shndx != ELF::SHN_UNDEF && S.getBinding() != ELF::STB_LOCAL &&
           isTextEnd(ElfView::string(Strings, S.st_name));
  });
}

std::vector<CodeRange> Noted;

} // namespace

std::vector<CodeRange> graupel::findCodeRanges(const ElfView &File) {
  if (File.header().e_machine != ELF::EM_X86_64)
    return {};
  return Finder(File).run();
}

// Step 3.
bool graupel::asksForTextEnd(const ElfView &File) {
  const bool HasRelocations = hasAppliedRelocations(File);
  return any_of(File.sections().drop_front(), [&](const Section &S) {
    if (S.sh_type == ELF::SHT_DYNSYM ||
        (S.sh_type == ELF::SHT_SYMTAB && !HasRelocations))
      return definesTextEnd(File, S);
    return File.isAppliedToProgram(S) && namesTextEnd(File, S);
  });
}

void graupel::noteCodeRanges(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (File)
    Noted = findCodeRanges(*File);
  else
    consumeError(File.takeError());
}

const std::vector<CodeRange> &graupel::codeRanges() { return Noted; }
