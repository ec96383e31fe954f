//===- Driver/FirstPage.cpp - Segments within a page ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ld -n and -N begin the first segment behind the headers, in the midst of a
// page. BOLT takes the address of that beginning for the one of the file, and
// gives its own segment a place in the file that no system maps.
//
// The system maps whole pages. So a segment that begins with its page says the
// same.
//
//===----------------------------------------------------------------------===//

#include "FirstPage.h"
#include "Elf/ElfView.h"

using namespace llvm;
using namespace graupel;

void graupel::beginAtPage(WritableMemoryBuffer &File) {
  constexpr uint64_t PageSize = 4096;
  Expected<ElfView> View =
      ElfView::open({File.getBufferStart(), File.getBufferSize()});
  if (!View)
    return consumeError(View.takeError());
  const ElfView::Segment *First = nullptr;
  for (const ElfView::Segment &S : View->segments())
    if (S.p_type == ELF::PT_LOAD && (!First || S.p_vaddr < First->p_vaddr))
      First = &S;
  if (!First || First->p_vaddr % PageSize != First->p_offset % PageSize)
    return;
  const uint64_t Before = First->p_vaddr % PageSize;
  if (!Before)
    return;
  ElfView::Segment &Header = writableEntry(File.getBuffer(), *First);
  Header.p_offset = Header.p_offset - Before;
  Header.p_vaddr = Header.p_vaddr - Before;
  Header.p_paddr = Header.p_paddr - std::min<uint64_t>(Header.p_paddr, Before);
  Header.p_filesz = Header.p_filesz + Before;
  Header.p_memsz = Header.p_memsz + Before;
  Header.p_align = std::max<uint64_t>(Header.p_align, PageSize);
}
