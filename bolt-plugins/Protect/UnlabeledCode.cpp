//===- Protect/UnlabeledCode.cpp - Code before all symbols ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnlabeledCode.h"
#include "Elf/Unwind.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

/// The address of the first function or label of \p Code, or its end. A
/// function without a symbol is known by its unwind record.
uint64_t firstSymbol(const ElfView &File, const ElfView::Section &Code,
                     ArrayRef<FrameRecord> Records) {
  uint64_t First = Code.sh_addr + Code.sh_size;
  const size_t Index = &Code - File.sections().data();
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_SYMTAB)
      for (const ElfView::Symbol &Sym : File.table<ElfView::Symbol>(S))
        if (Sym.st_value >= Code.sh_addr && Sym.st_value < First &&
            (Sym.st_shndx == Index || Sym.st_shndx == ELF::SHN_XINDEX) &&
            Sym.getType() != ELF::STT_SECTION &&
            Sym.getType() != ELF::STT_OBJECT)
          First = Sym.st_value;
  for (const FrameRecord &R : Records)
    if (R.Begin >= Code.sh_addr && R.Begin < R.End)
      First = std::min(First, R.Begin);
  return First;
}

std::vector<FrameRecord> recordsOf(const ElfView &File) {
  const ElfView::Section *Frames = File.find(".eh_frame");
  if (!Frames)
    return {};
  Expected<std::vector<FrameRecord>> Records = readFrames(File, *Frames);
  if (Records)
    return std::move(*Records);
  consumeError(Records.takeError()); // InputCheck tells.
  return {};
}

DenseMap<uint64_t, uint64_t> Noted;

} // namespace

void graupel::noteUnlabeledCode(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (!File)
    return consumeError(File.takeError());
  const std::vector<FrameRecord> Records = recordsOf(*File);
  for (const ElfView::Section &S : File->sections()) {
    if (!File->isAppliedToProgram(S))
      continue;
    const ElfView::Section &Code = File->sections()[S.sh_info];
    const ArrayRef<ElfView::Rela> Relocations = File->table<ElfView::Rela>(S);
    if (!(Code.sh_flags & ELF::SHF_EXECINSTR) || Relocations.empty())
      continue;
    const uint64_t End = firstSymbol(*File, Code, Records);
    if (any_of(Relocations,
               [&](const ElfView::Rela &R) { return R.r_offset < End; }))
      Noted[Code.sh_addr] = End;
  }
}

const DenseMap<uint64_t, uint64_t> &graupel::unlabeledCode() { return Noted; }
