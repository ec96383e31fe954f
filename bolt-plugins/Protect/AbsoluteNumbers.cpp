//===- Protect/AbsoluteNumbers.cpp - Symbols that are no addresses --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AbsoluteNumbers.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;
using Rela = ElfView::Rela;

bool graupel::isOfNumber(const Rela &R, const ElfView::Symbol &S) {
  if (S.st_shndx != ELF::SHN_ABS)
    return false;
  switch (R.getType(/*isMips64EL=*/false)) {
  case ELF::R_X86_64_8:
  case ELF::R_X86_64_16:
  case ELF::R_X86_64_32:
  case ELF::R_X86_64_32S:
  case ELF::R_X86_64_64:
    return true;
  default:
    return false;
  }
}

void graupel::forgetAbsoluteNumbers(MutableArrayRef<char> File) {
  Expected<ElfView> View = ElfView::open(StringRef(File.data(), File.size()));
  if (!View) {
    consumeError(View.takeError());
    return;
  }
  if (View->header().e_machine != ELF::EM_X86_64)
    return;
  for (const Section &S : View->sections().drop_front()) {
    if (!View->isAppliedToProgram(S))
      continue;
    ArrayRef<ElfView::Symbol> Symbols =
        View->table<ElfView::Symbol>(View->sections()[S.sh_link]);
    for (const Rela &R : View->table<Rela>(S)) {
      const uint32_t Symbol = R.getSymbol(/*isMips64EL=*/false);
      if (!isOfNumber(R, Symbols[Symbol]) ||
          !View->isCode(Symbols[Symbol].st_value + R.r_addend))
        continue;
      const auto At = reinterpret_cast<const char *>(&R) - File.data();
      reinterpret_cast<Rela *>(File.data() + At)
          ->setSymbolAndType(Symbol, ELF::R_X86_64_NONE,
                             /*IsMips64EL=*/false);
    }
  }
}
