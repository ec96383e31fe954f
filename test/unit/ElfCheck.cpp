//===- unit/ElfCheck.cpp - The input check by itself ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// elf-check FILE...: names the files that graupel-bolt's input check refuses,
// on the error output, which a failed test shows. Files that it is not made for
// (object files, 32 bits, no ELF) are counted and not mentioned. Ends with
// "N accepted, N refused, N of other kinds" on the standard output.
//
//===----------------------------------------------------------------------===//

#include "Elf/InputCheck.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel;

namespace {

bool isOurKind(StringRef Data) {
  if (Data.size() < sizeof(ElfView::Header))
    return false;
  const auto *Head = reinterpret_cast<const ElfView::Header *>(Data.data());
  return Head->checkMagic() && Head->getFileClass() == ELF::ELFCLASS64 &&
         Head->getDataEncoding() == ELF::ELFDATA2LSB &&
         (Head->e_type == ELF::ET_EXEC || Head->e_type == ELF::ET_DYN) &&
         (Head->e_machine == ELF::EM_X86_64 ||
          Head->e_machine == ELF::EM_AARCH64 ||
          Head->e_machine == ELF::EM_RISCV);
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Accepted = 0, Refused = 0, Others = 0;
  for (const char *Path : ArrayRef(Argv, Argc).drop_front()) {
    auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!Buffer || !isOurKind((*Buffer)->getBuffer())) {
      ++Others;
    } else if (Error E = checkElf((*Buffer)->getBuffer())) {
      ++Refused;
      errs() << Path << ": " << toString(std::move(E)) << '\n';
    } else {
      ++Accepted;
    }
  }
  outs() << Accepted << " accepted, " << Refused << " refused, " << Others
         << " of other kinds\n";
  return Refused != 0;
}
