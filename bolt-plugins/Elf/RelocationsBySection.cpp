//===- Elf/RelocationsBySection.cpp - -z nocombreloc -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -z nocombreloc the linker leaves the loader's relocations in sections of
// their own, one for each section that they change. The loader sees one table
// (DT_RELA, DT_RELASZ), as the sections follow each other. BOLT 22 reads the
// section where the table begins, and refuses the file if the table is larger.
//
// 1. Find the sections that the table consists of: each begins where the one
//    before ends, the first where the table begins and the last ends with it.
// 2. Give the first one the size of the table. BOLT reads all of it then.
//
// BOLT makes sections that overlap end before the next one when it writes their
// headers, so the output has those of the input.
//
//===----------------------------------------------------------------------===//

#include "RelocationsBySection.h"
#include "ElfView.h"

using namespace llvm;
using namespace graupel;

/// The section of the loader's relocations that begins at \p Address.
static const ElfView::Section *tableAt(const ElfView &File, uint64_t Address) {
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC &&
        S.sh_addr == Address && S.sh_size)
      return &S;
  return nullptr;
}

/// Whether sections that follow each other, in memory and in the file, fill the
/// \p Size bytes from where \p First begins.
static bool areFilled(const ElfView &File, const ElfView::Section &First,
                      uint64_t Size) {
  uint64_t Covered = First.sh_size;
  while (Covered < Size) {
    const ElfView::Section *Next = tableAt(File, First.sh_addr + Covered);
    if (!Next || Next->sh_offset != First.sh_offset + Covered ||
        Next->sh_link != First.sh_link)
      return false;
    Covered += Next->sh_size;
  }
  return Covered == Size;
}

void graupel::combineRelocations(WritableMemoryBuffer &File) {
  Expected<ElfView> View =
      ElfView::open({File.getBufferStart(), File.getBufferSize()});
  if (!View)
    return consumeError(View.takeError());
  uint64_t Begin = 0, Size = 0, Stubs = 0;
  for (const ElfView::Dyn &D : View->dynamic())
    if (D.d_tag == ELF::DT_RELA)
      Begin = D.getPtr();
    else if (D.d_tag == ELF::DT_RELASZ)
      Size = D.getVal();
    else if (D.d_tag == ELF::DT_JMPREL)
      Stubs = D.getPtr();
  // Some linkers count those of the PLT, too. BOLT takes them off.
  if (Stubs > Begin && Stubs - Begin < Size)
    Size = Stubs - Begin;
  const ElfView::Section *First = tableAt(*View, Begin);
  if (!First || First->sh_size >= Size || !areFilled(*View, *First, Size))
    return;
  writableEntry(File.getBuffer(), *First).sh_size = Size;
}
