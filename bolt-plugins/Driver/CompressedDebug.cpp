//===- Driver/CompressedDebug.cpp - Compressed debug sections -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT 22 reads most of the debug information through LLVM, which decompresses
// it, but the strings of line tables as they are in the file: it takes what is
// compressed for strings, and does not end where that has no zero at its end.
//
// So with -update-debug-sections BOLT gets a file without compressed sections:
//
//   1. Behind a copy of the file, put what is in the compressed sections.
//   2. Let the headers of these sections in the copy lead there.
//
//===----------------------------------------------------------------------===//

#include "CompressedDebug.h"
#include "Elf/ElfView.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <vector>

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;
using CompressionHeader = ElfView::Types::Chdr;

namespace {

/// A compressed section and where its content goes.
struct Moved {
  const Section *Header;
  object::Decompressor Content;
  uint64_t Offset;
};

} // namespace

static Error cannot(const ElfView &File, const Section &S, Error Why) {
  return badFile(File.describe(S) + " cannot be decompressed (" +
                     toString(std::move(Why)) + ")",
                 "leave out -update-debug-sections, or link it again");
}

/// The compressed sections of \p File. \p End is where it ends, and where the
/// content of all of them will end.
static Expected<std::vector<Moved>> findCompressed(const ElfView &File,
                                                   uint64_t &End) {
  std::vector<Moved> Found;
  for (const Section &S : File.sections()) {
    if (!(S.sh_flags & ELF::SHF_COMPRESSED) || S.sh_flags & ELF::SHF_ALLOC)
      continue;
    auto Content = object::Decompressor::create(
        File.name(S), File.content(S), /*IsLE=*/true, /*Is64Bit=*/true);
    if (!Content)
      return cannot(File, S, Content.takeError());
    End = alignTo(End, sizeof(uint64_t));
    Found.push_back({&S, *Content, End});
    End += Content->getDecompressedSize();
  }
  return Found;
}

/// Makes \p Header in the copy one of a section that is not compressed.
static void lead(Section &Header, const CompressionHeader &Was,
                 uint64_t Offset) {
  Header.sh_flags = Header.sh_flags & ~uint64_t(ELF::SHF_COMPRESSED);
  Header.sh_offset = Offset;
  Header.sh_size = Was.ch_size;
  Header.sh_addralign = Was.ch_addralign;
}

Expected<std::unique_ptr<MemoryBuffer>>
graupel::decompressDebug(std::unique_ptr<MemoryBuffer> File) {
  Expected<ElfView> View = ElfView::open(File->getBuffer());
  if (!View) {
    consumeError(View.takeError());
    return File;
  }
  uint64_t End = File->getBufferSize();
  Expected<std::vector<Moved>> Found = findCompressed(*View, End);
  if (!Found)
    return Found.takeError();
  if (Found->empty())
    return File;
  auto Copy =
      WritableMemoryBuffer::getNewMemBuffer(End, File->getBufferIdentifier());
  if (!Copy)
    return badFile("there is no memory for its debug information",
                   "leave out -update-debug-sections");
  char *To = Copy->getBufferStart();
  std::memcpy(To, File->getBufferStart(), File->getBufferSize());
  for (Moved &M : *Found) {
    const StringRef Content = View->content(*M.Header);
    if (Error E =
            M.Content.decompress({reinterpret_cast<uint8_t *>(To + M.Offset),
                                  size_t(M.Content.getDecompressedSize())}))
      return cannot(*View, *M.Header, std::move(E));
    const size_t At =
        reinterpret_cast<const char *>(M.Header) - File->getBufferStart();
    lead(*reinterpret_cast<Section *>(To + At),
         *reinterpret_cast<const CompressionHeader *>(Content.data()),
         M.Offset);
  }
  return Copy;
}
