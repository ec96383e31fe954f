//===- Copies/AddedTables.cpp - A table of relocations --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT writes new code to a new segment only if the input has a section
// .rela.text. It is added in memory; its contents do not matter here, since
// originals do not change.
//
//   1. Append the names of sections with one more, and the section headers with
//      one more. Nothing that is loaded changes.
//   2. Empty the tables of relocations that the linker left.
//
//===----------------------------------------------------------------------===//

#include "AddedTables.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;

static bool isRelocationOfText(const ElfView &File, const Section &S) {
  return S.sh_type == ELF::SHT_RELA && !(S.sh_flags & ELF::SHF_ALLOC) &&
         File.name(S) == ".rela.text";
}

std::unique_ptr<MemoryBuffer>
graupel::withoutAppliedRelocations(std::unique_ptr<MemoryBuffer> File) {
  Expected<ElfView> View = ElfView::open(File->getBuffer());
  if (!View) {
    consumeError(View.takeError());
    return File;
  }
  const Section *Text = View->find(".text");
  const ArrayRef<Section> Old = View->sections();
  const uint32_t NamesIndex = View->header().e_shstrndx;
  // Files with more sections than the header can count have their number
  // elsewhere.
  if (!Text || NamesIndex >= Old.size() || Old.size() + 1 >= ELF::SHN_LORESERVE)
    return File;
  std::string Names = View->content(Old[NamesIndex]).str();
  std::vector<Section> Sections(Old.begin(), Old.end());
  bool HasTable = false;
  for (auto [Index, S] : enumerate(Old))
    if (View->isAppliedToProgram(S)) {
      Sections[Index].sh_size = 0;
      HasTable |= isRelocationOfText(*View, S);
    }
  const uint64_t NamesAt = alignTo(File->getBufferSize(), 8);
  if (!HasTable) {
    Section Added = {};
    Added.sh_name = Names.size();
    Added.sh_type = ELF::SHT_RELA;
    Added.sh_flags = ELF::SHF_INFO_LINK;
    Added.sh_info = Text - Old.begin();
    Added.sh_offset = NamesAt;
    Added.sh_entsize = sizeof(ElfView::Rela);
    Added.sh_addralign = 8;
    Names += ".rela.text";
    Names += '\0';
    Sections.push_back(Added);
  }
  Sections[NamesIndex].sh_offset = NamesAt;
  Sections[NamesIndex].sh_size = Names.size();
  const uint64_t HeadersAt = alignTo(NamesAt + Names.size(), 8);
  const uint64_t Size = HeadersAt + Sections.size() * sizeof(Section);
  auto Copy =
      WritableMemoryBuffer::getNewMemBuffer(Size, File->getBufferIdentifier());
  char *To = Copy->getBufferStart();
  std::memcpy(To, File->getBufferStart(), File->getBufferSize());
  std::memcpy(To + NamesAt, Names.data(), Names.size());
  std::memcpy(To + HeadersAt, Sections.data(),
              Sections.size() * sizeof(Section));
  auto *Header = reinterpret_cast<ElfView::Header *>(To);
  Header->e_shoff = HeadersAt;
  Header->e_shnum = Sections.size();
  return Copy;
}
