//===- Driver/UnwindHeader.cpp - Frames of static programs ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnwindHeader.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace graupel;

using File = object::ELFFile<object::ELF64LE>;
using Header = File::Elf_Phdr;

/// The header to replace, or null if the file has all it needs.
static const Header *spareHeader(ArrayRef<Header> Headers) {
  const Header *Spare = nullptr;
  for (const Header &H : Headers) {
    if (H.p_type == ELF::PT_GNU_EH_FRAME || H.p_type == ELF::PT_DYNAMIC)
      return nullptr;
    if (H.p_type == ELF::PT_GNU_PROPERTY)
      Spare = &H;
  }
  return Spare;
}

Error graupel::showUnwindHeader(StringRef Path) {
  ErrorOr<std::unique_ptr<WriteThroughMemoryBuffer>> Buffer =
      WriteThroughMemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), Path + ": cannot read back");
  const MutableArrayRef<char> Bytes = (*Buffer)->getBuffer();
  Expected<File> Output = File::create(StringRef(Bytes.data(), Bytes.size()));
  if (!Output)
    return Output.takeError();
  auto Headers = Output->program_headers();
  auto Sections = Output->sections();
  if (!Headers || !Sections) {
    consumeError(Headers.takeError());
    return Sections.takeError();
  }
  const Header *Spare = spareHeader(*Headers);
  if (!Spare)
    return Error::success();
  for (const File::Elf_Shdr &Section : *Sections) {
    Expected<StringRef> Name = Output->getSectionName(Section);
    if (!Name)
      return Name.takeError();
    if (*Name != ".eh_frame_hdr")
      continue;
    Header &New = const_cast<Header &>(*Spare); // It is in Bytes.
    New.p_type = ELF::PT_GNU_EH_FRAME;
    New.p_flags = ELF::PF_R;
    New.p_offset = Section.sh_offset;
    New.p_vaddr = New.p_paddr = Section.sh_addr;
    New.p_filesz = New.p_memsz = Section.sh_size;
    New.p_align = 4;
  }
  return Error::success();
}
