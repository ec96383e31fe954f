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
using Section = File::Elf_Shdr;

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

/// Null if there is no section of this name.
static Expected<const Section *> findSection(const File &Output,
                                             StringRef Name) {
  auto Sections = Output.sections();
  if (!Sections)
    return Sections.takeError();
  for (const Section &S : *Sections) {
    Expected<StringRef> Found = Output.getSectionName(S);
    if (!Found)
      return Found.takeError();
    if (*Found == Name)
      return &S;
  }
  return nullptr;
}

static void replace(Header &Spare, const Section &Frames) {
  Spare.p_type = ELF::PT_GNU_EH_FRAME;
  Spare.p_flags = ELF::PF_R;
  Spare.p_offset = Frames.sh_offset;
  Spare.p_vaddr = Spare.p_paddr = Frames.sh_addr;
  Spare.p_filesz = Spare.p_memsz = Frames.sh_size;
  Spare.p_align = 4;
}

Error graupel::showUnwindHeader(StringRef Path) {
  ErrorOr<std::unique_ptr<WriteThroughMemoryBuffer>> Buffer =
      WriteThroughMemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             Path + ": cannot read the output again: " +
                                 Buffer.getError().message() +
                                 "; check its folder and your rights there");
  const MutableArrayRef<char> Bytes = (*Buffer)->getBuffer();
  Expected<File> Output = File::create(StringRef(Bytes.data(), Bytes.size()));
  if (!Output)
    return Output.takeError();
  // Elsewhere the header that could be replaced has other readers.
  if (Output->getHeader().e_machine != ELF::EM_X86_64)
    return Error::success();
  auto Headers = Output->program_headers();
  if (!Headers)
    return Headers.takeError();
  const Header *Spare = spareHeader(*Headers);
  if (!Spare)
    return Error::success();
  Expected<const Section *> Frames = findSection(*Output, ".eh_frame_hdr");
  if (!Frames)
    return Frames.takeError();
  if (*Frames)
    replace(const_cast<Header &>(*Spare), **Frames); // Which is in Bytes.
  return Error::success();
}
