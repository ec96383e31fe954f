//===- Finish/SectionOrder.cpp - The order of section headers -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Sort the headers by offset; those at one place stay in their order.
//   2. Rename what refers to sections by number: sh_link, sh_info where it is a
//      section, the table of names in the ELF header, symbols.
//
//===----------------------------------------------------------------------===//

#include "SectionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <numeric>

using namespace llvm;
using namespace graupel;

using Header = ElfView::Header;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;

namespace {

class Renumbering {
public:
  explicit Renumbering(ArrayRef<Section> Sections) : Order(Sections.size()) {
    std::iota(Order.begin(), Order.end(), 0);
    std::stable_sort(Order.begin() + 1, Order.end(), [&](size_t A, size_t B) {
      return Sections[A].sh_offset < Sections[B].sh_offset;
    });
    NewOf.resize(Order.size());
    for (auto [New, Old] : llvm::enumerate(Order))
      NewOf[Old] = New;
  }

  bool isIdentity() const { return llvm::is_sorted(Order); }
  ArrayRef<size_t> order() const { return Order; }

  /// The number of what was section \p Old; numbers with another meaning stay.
  uint32_t operator()(uint32_t Old) const {
    return Old < NewOf.size() && Old < ELF::SHN_LORESERVE ? NewOf[Old] : Old;
  }

private:
  std::vector<size_t> Order; ///< Old numbers in the new order.
  std::vector<size_t> NewOf;
};

bool namesSection(const Section &S) {
  return S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA ||
         S.sh_flags & ELF::SHF_INFO_LINK;
}

} // namespace

bool graupel::sortSections(const ElfView &View, MutableArrayRef<char> Output) {
  const ArrayRef<Section> Old = View.sections();
  const bool HasWide = llvm::any_of(
      Old, [](const Section &S) { return S.sh_type == ELF::SHT_SYMTAB_SHNDX; });
  const Renumbering Number(Old);
  if (HasWide || Old.size() >= ELF::SHN_LORESERVE || Number.isIdentity())
    return false;

  std::vector<Section> Sections;
  for (size_t Index : Number.order()) {
    Section S = Old[Index];
    S.sh_link = Number(S.sh_link);
    if (namesSection(S))
      S.sh_info = Number(S.sh_info);
    Sections.push_back(S);
  }
  for (const Section &S : Sections)
    if (S.sh_type == ELF::SHT_SYMTAB || S.sh_type == ELF::SHT_DYNSYM)
      for (Symbol &Sym : MutableArrayRef(
               reinterpret_cast<Symbol *>(Output.data() + S.sh_offset),
               S.sh_size / sizeof(Symbol)))
        Sym.st_shndx = Number(Sym.st_shndx);

  Header Head = View.header();
  Head.e_shstrndx = Number(Head.e_shstrndx);
  std::memcpy(Output.data(), &Head, sizeof(Head));
  std::memcpy(Output.data() + Head.e_shoff, Sections.data(),
              Sections.size() * sizeof(Section));
  return true;
}
