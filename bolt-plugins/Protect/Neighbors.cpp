//===- Protect/Neighbors.cpp - Data beside functions ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Sort the symbols in code: functions, data, and others.
// 2. Look at each relocation that the linker applied: one that names a function
//    and means a place before or behind it counts on what is there, maybe
//    another function. Note all places in code that are meant and begin no
//    function.
//
//===----------------------------------------------------------------------===//

#include "Neighbors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

bool isFunction(const Symbol &S) {
  return S.getType() == ELF::STT_FUNC || S.getType() == ELF::STT_GNU_IFUNC;
}

class Finder {
public:
  explicit Finder(const ElfView &File) : File(File) {}

  Neighbors run() {
    for (const Section &S : File.sections().drop_front())
      if (S.sh_type == ELF::SHT_SYMTAB)
        lookAtSymbols(S);
    for (uint64_t Address : Result.Functions)
      Result.Data.erase(Address);
    for (const Section &S : File.sections().drop_front())
      if (File.isAppliedToProgram(S))
        lookAtRelocations(S);
    llvm::sort(Result.Meant);
    return std::move(Result);
  }

private:
  const ElfView &File;
  Neighbors Result;

  // Step 1.
  void lookAtSymbols(const Section &Table) {
    for (const Symbol &S : File.table<Symbol>(Table)) {
      if (!S.st_shndx || S.st_shndx >= File.sections().size() ||
          !(File.sections()[S.st_shndx].sh_flags & ELF::SHF_EXECINSTR))
        continue;
      if (isFunction(S))
        Result.Functions.insert(S.st_value);
      else if (S.getType() == ELF::STT_OBJECT)
        Result.Data.insert(S.st_value);
      if (!S.st_size || S.getType() == ELF::STT_SECTION)
        continue;
      uint64_t &End = Result.Ends[S.st_value];
      End = std::max<uint64_t>(End, S.st_value + S.st_size);
    }
  }

  // Step 2.
  void lookAtRelocations(const Section &Table) {
    ArrayRef<Symbol> Symbols =
        File.table<Symbol>(File.sections()[Table.sh_link]);
    const bool InCode =
        File.sections()[Table.sh_info].sh_flags & ELF::SHF_EXECINSTR;
    for (const Rela &R : File.table<Rela>(Table)) {
      const Symbol &S = Symbols[R.getSymbol(/*isMips64EL=*/false)];
      if (const auto Place = placeMeant(R, InCode);
          Place && S.st_shndx != ELF::SHN_UNDEF && S.st_shndx != ELF::SHN_ABS)
        look(S, *Place);
    }
  }

  /// The place that is meant, counted from a symbol: somewhere between the two.
  struct Range {
    int64_t Least, Most;
  };

  static std::optional<Range> placeMeant(const Rela &R, bool InCode) {
    switch (R.getType(/*isMips64EL=*/false)) {
    case ELF::R_X86_64_64:
    case ELF::R_X86_64_32:
    case ELF::R_X86_64_32S:
      return Range{R.r_addend, R.r_addend};
    case ELF::R_X86_64_PC32:
      // In data it counts from itself, which is no distance from the symbol.
      if (!InCode)
        return std::nullopt;
      // Behind the displacement there may be an immediate of up to 4 bytes.
      return Range{R.r_addend + 4, R.r_addend + 8};
    default:
      return std::nullopt;
    }
  }

  void look(const Symbol &S, Range Place) {
    if (isFunction(S) &&
        (Place.Most < 0 || (S.st_size && Place.Least > int64_t(S.st_size)))) {
      Result.CountedFrom.insert(S.st_value);
      Result.CountedTo.insert(S.st_value + Place.Least);
    }
    const uint64_t Address = S.st_value + Place.Least;
    if (!isFunction(S) && File.isCode(Address) &&
        !Result.Functions.contains(Address))
      Result.Meant.push_back(Address);
  }
};

Neighbors Noted;

} // namespace

Neighbors graupel::findNeighbors(const ElfView &File) {
  if (File.header().e_machine != ELF::EM_X86_64)
    return Neighbors();
  return Finder(File).run();
}

void graupel::noteNeighbors(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (File)
    Noted = findNeighbors(*File);
  else
    consumeError(File.takeError());
}

const Neighbors &graupel::neighbors() { return Noted; }
