//===- Protect/UnlabelledCode.cpp - Code before all symbols ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnlabelledCode.h"
#include "Verify/Unwind.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

namespace {

/// Where the first function or label of \p Code is, or its end. A function
/// without a symbol is known by its unwind record.
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

DenseMap<uint64_t, uint64_t> Noted;

} // namespace

std::vector<UnlabelledCode> graupel::findUnlabelledCode(const ElfView &File) {
  std::vector<UnlabelledCode> Found;
  std::vector<FrameRecord> Records;
  if (const ElfView::Section *Frames = File.find(".eh_frame")) {
    Expected<std::vector<FrameRecord>> Read = readFrames(File, *Frames);
    if (Read)
      Records = std::move(*Read);
    else // InputCheck tells.
      consumeError(Read.takeError());
  }
  for (const ElfView::Section &S : File.sections()) {
    if (!File.isAppliedToProgram(S))
      continue;
    const ElfView::Section &Code = File.sections()[S.sh_info];
    const ArrayRef<ElfView::Rela> Relocations = File.table<ElfView::Rela>(S);
    if (!(Code.sh_flags & ELF::SHF_EXECINSTR) || Relocations.empty())
      continue;
    const auto First = std::min_element(
        Relocations.begin(), Relocations.end(),
        [](const auto &A, const auto &B) { return A.r_offset < B.r_offset; });
    if (const uint64_t End = firstSymbol(File, Code, Records);
        First->r_offset < End)
      Found.push_back({&Code, First->r_offset, End});
  }
  return Found;
}

void graupel::noteUnlabelledCode(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (!File)
    return consumeError(File.takeError());
  for (const UnlabelledCode &C : findUnlabelledCode(*File))
    Noted[C.Section->sh_addr] = C.End;
}

const DenseMap<uint64_t, uint64_t> &graupel::unlabelledCode() { return Noted; }
