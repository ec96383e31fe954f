//===- Finish/References.cpp - References to a range of memory ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The loader's relocations must not change what is there.
//   2. The linker's relocations of sections in memory must not refer to a
//      symbol that is there, and none from there may be for a distance.
//   3. Without the linker's relocations, each name tells of a reference, but
//      for the C library's own.
//
// Only symbols that have an address count.
//
//===----------------------------------------------------------------------===//

#include "References.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

bool graupel::hasAddress(ArrayRef<Section> Sections, const Symbol &S) {
  if (S.st_shndx == ELF::SHN_UNDEF || S.getType() == ELF::STT_TLS)
    return false;
  return S.st_shndx >= Sections.size() ||
         Sections[S.st_shndx].sh_flags & ELF::SHF_ALLOC;
}

/// Whether \p R is for a value of less than eight bytes that is no distance. An
/// address that is known when the program runs does not fit there.
static bool isShort(const Rela &R) {
  switch (R.getType(/*isMips64EL=*/false)) {
  case ELF::R_X86_64_8:
  case ELF::R_X86_64_16:
  case ELF::R_X86_64_32:
  case ELF::R_X86_64_32S:
    return true;
  default:
    return false;
  }
}

/// Whether the value of \p S is the same wherever the file is in memory.
bool References::isNumber(const Symbol &S) const {
  return S.st_shndx == ELF::SHN_ABS && File.header().e_type == ELF::ET_DYN;
}

/// The flags of the section that the linker's relocations \p Table are for.
uint64_t References::targetFlags(const Section &Table) const {
  if (Table.sh_info >= File.sections().size())
    return 0;
  return File.sections()[Table.sh_info].sh_flags;
}

bool References::isAppliedThere(const Section &Table) const {
  return llvm::any_of(File.table<Rela>(Table),
                      [&](const Rela &R) { return IsIn(R.r_offset); });
}

bool References::leadsThere(const Section &Table) const {
  if (Table.sh_link >= File.sections().size())
    return false;
  ArrayRef<Symbol> Symbols = File.table<Symbol>(File.sections()[Table.sh_link]);
  return llvm::any_of(File.table<Rela>(Table), [&](const Rela &R) {
    const uint32_t Index = R.getSymbol(/*isMips64EL=*/false);
    return Index && Index < Symbols.size() &&
           hasAddress(File.sections(), Symbols[Index]) &&
           !(isNumber(Symbols[Index]) && isShort(R)) &&
           IsIn(Symbols[Index].st_value);
  });
}

/// Whether what is there holds the distance from there to something.
bool References::hasDistance(const Section &Table) const {
  return llvm::any_of(File.table<Rela>(Table), [&](const Rela &R) {
    return IsIn(R.r_offset) && !isShort(R) &&
           R.getType(/*isMips64EL=*/false) != ELF::R_X86_64_64;
  });
}

bool References::hasName(const Section &Table) const {
  const StringRef Names = File.linkedStrings(Table);
  return llvm::any_of(File.table<Symbol>(Table), [&](const Symbol &S) {
    return hasAddress(File.sections(), S) && !isNumber(S) &&
           S.getType() != ELF::STT_SECTION && IsIn(S.st_value) &&
           // That one is for debuggers.
           ElfView::string(Names, S.st_name) != "__abi_tag";
  });
}

std::string References::find() const {
  bool HasRelocations = false;
  for (const Section &S : File.sections()) {
    if (S.sh_type != ELF::SHT_RELA)
      continue;
    const bool IsLoaders = S.sh_flags & ELF::SHF_ALLOC;
    const bool IsLinkers =
        !IsLoaders && S.sh_link && targetFlags(S) & ELF::SHF_ALLOC;
    if ((IsLoaders && isAppliedThere(S)) ||
        (IsLinkers && (leadsThere(S) || hasDistance(S))))
      return File.describe(S) + " refers to what is in the way";
    HasRelocations |= IsLinkers && targetFlags(S) & ELF::SHF_EXECINSTR;
  }
  if (!HasRelocations)
    for (const Section &S : File.sections())
      if ((S.sh_type == ELF::SHT_SYMTAB || S.sh_type == ELF::SHT_DYNSYM) &&
          hasName(S))
        return "a symbol is in the way";
  return {};
}
