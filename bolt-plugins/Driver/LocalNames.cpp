//===- Driver/LocalNames.cpp - Local symbols named as global ones ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assemblers let relocations refer to a local symbol by its section. Where a
// symbol was made local later (objcopy --keep-global-symbol, ld -r), they name
// it. BOLT looks such a name up among all symbols, and finds a global one that
// has the same.
//
// 1. Find local symbols whose name a global definition has, too.
// 2. Relocations that name one get the symbol of its section, and its offset
//    there added: as the assembler would have written them.
//
//===----------------------------------------------------------------------===//

#include "LocalNames.h"
#include "Elf/ElfView.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace graupel;

using Rela = ElfView::Rela;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;

namespace {

class Names {
public:
  Names(const ElfView &File, const Section &Table)
      : Symbols(File.table<Symbol>(Table)), Strings(File.linkedStrings(Table)),
        Doubtful(Symbols.size()) {
    StringSet<> Global;
    for (size_t I = 0; I < Symbols.size(); ++I) {
      const Symbol &S = Symbols[I];
      if (S.getType() == ELF::STT_SECTION)
        SymbolOf.try_emplace(S.st_shndx, I);
      else if (S.getBinding() != ELF::STB_LOCAL && S.st_shndx != ELF::SHN_UNDEF)
        Global.insert(nameOf(S));
    }
    for (size_t I = 1; I < Symbols.size(); ++I) {
      const Symbol &S = Symbols[I];
      if (S.getBinding() == ELF::STB_LOCAL && S.st_shndx != ELF::SHN_UNDEF &&
          S.st_shndx < File.sections().size() &&
          S.getType() != ELF::STT_SECTION && S.getType() != ELF::STT_TLS &&
          Global.contains(nameOf(S)))
        Doubtful.set(I);
    }
  }

  bool anyDoubtful() const { return Doubtful.any(); }
  bool isDoubtful(const Rela &R) const {
    const uint32_t Index = R.getSymbol(false);
    return Index < Doubtful.size() && Doubtful[Index];
  }

  /// \p R, which is doubtful, by its section.
  Expected<Rela> bySection(Rela R) const {
    const Symbol &S = Symbols[R.getSymbol(false)];
    const auto Found = SymbolOf.find(S.st_shndx);
    if (Found == SymbolOf.end())
      return badFile("relocations refer to the local symbol " + nameOf(S) +
                         ", which has the name of a global one, and its "
                         "section has no symbol",
                     "link it with GNU ld, or rename one of the two");
    R.setSymbolAndType(Found->second, R.getType(false), false);
    R.r_addend += S.st_value - Symbols[Found->second].st_value;
    return R;
  }

private:
  const ArrayRef<Symbol> Symbols;
  const StringRef Strings;
  BitVector Doubtful;                    ///< By symbol.
  DenseMap<unsigned, uint32_t> SymbolOf; ///< By section.

  StringRef nameOf(const Symbol &S) const {
    return ElfView::string(Strings, S.st_name);
  }
};

} // namespace

Error graupel::forgetLocalNames(WritableMemoryBuffer &File) {
  Expected<ElfView> View =
      ElfView::open({File.getBufferStart(), File.getBufferSize()});
  if (!View)
    return View.takeError();
  const Section *Table = View->find(".symtab");
  if (!Table)
    return Error::success();
  const Names N(*View, *Table);
  if (!N.anyDoubtful())
    return Error::success();
  for (const Section &S : View->sections()) {
    if (!View->isAppliedToProgram(S))
      continue;
    for (const Rela &R : View->table<Rela>(S)) {
      if (!N.isDoubtful(R))
        continue;
      Expected<Rela> New = N.bySection(R);
      if (!New)
        return New.takeError();
      writableEntry(File.getBuffer(), R) = *New;
    }
  }
  return Error::success();
}
