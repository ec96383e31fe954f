//===- Protect/AbsoluteNumbers.cpp - Symbols that are no addresses --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Have the linker's relocations of numbers that lead into code do nothing.
//    Remember the symbols that something counts its distance from: these are
//    addresses.
// 2. Give the other numbers in code a value that no address has: the upper bits
//    are a mark that no number of the file has. BOLT copies such symbols.
//
//===----------------------------------------------------------------------===//

#include "AbsoluteNumbers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

/// The bits of a value with the mark; no process has such addresses.
static constexpr uint64_t MarkBits = 0xffff000000000000;
static constexpr uint64_t FirstMark = 0x8000000000000000;
static constexpr uint64_t LeastMark = 0x0001000000000000;

bool graupel::isOfNumber(const Rela &R, const ElfView::Symbol &S) {
  if (S.st_shndx != ELF::SHN_ABS)
    return false;
  switch (R.getType(/*isMips64EL=*/false)) {
  case ELF::R_X86_64_8:
  case ELF::R_X86_64_16:
  case ELF::R_X86_64_32:
  case ELF::R_X86_64_32S:
  case ELF::R_X86_64_64:
    return true;
  default:
    return false;
  }
}

namespace {

/// Forgets the numbers in the file with the content \p Bytes, which \p File is.
class Forgetter {
public:
  Forgetter(const ElfView &File, MutableArrayRef<char> Bytes)
      : File(File), Bytes(Bytes) {}

  uint64_t run() {
    for (const Section &S : File.sections().drop_front())
      if (File.isAppliedToProgram(S))
        forgetRelocations(S);
    const Section *Table = File.find(".symtab");
    return Table ? markSymbols(*Table) : 0;
  }

private:
  const ElfView &File;
  MutableArrayRef<char> Bytes;
  /// To which something is relative: addresses that were written as numbers.
  DenseSet<const Symbol *> Addresses;

  // Step 1.
  void forgetRelocations(const Section &Table) {
    ArrayRef<Symbol> Symbols =
        File.table<Symbol>(File.sections()[Table.sh_link]);
    for (const Rela &R : File.table<Rela>(Table)) {
      const uint32_t Index = R.getSymbol(/*isMips64EL=*/false);
      const Symbol &S = Symbols[Index];
      if (S.st_shndx != ELF::SHN_ABS)
        continue;
      const bool IsInGOT = isOfSlot(R);
      if (!isOfNumber(R, S) && !IsInGOT)
        Addresses.insert(&S);
      else if (IsInGOT || File.isCode(S.st_value + R.r_addend))
        writableEntry(Bytes, R).setSymbolAndType(Index, ELF::R_X86_64_NONE,
                                                 /*IsMips64EL=*/false);
    }
  }

  /// Whether \p R is for an operand that still leads to an entry of the GOT,
  /// where the number is. Linkers replace some by what the entry would hold.
  bool isOfSlot(const Rela &R) const {
    switch (R.getType(/*isMips64EL=*/false)) {
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
      break;
    default:
      return false;
    }
    const StringRef Bytes = File.bytesAt(R.r_offset);
    if (Bytes.size() < sizeof(int32_t))
      return false;
    const uint64_t Slot = R.r_offset - uint64_t(R.r_addend) +
                          int32_t(support::endian::read32le(Bytes.data()));
    return File.isMapped(Slot, sizeof(uint64_t)) && !File.isCode(Slot);
  }

  // Step 2.
  uint64_t markSymbols(const Section &Table) {
    SmallVector<const Symbol *> Numbers;
    DenseSet<uint64_t> Used;
    for (const Symbol &S : File.table<Symbol>(Table)) {
      if (S.st_shndx != ELF::SHN_ABS)
        continue;
      Used.insert(S.st_value & MarkBits);
      if (File.isCode(S.st_value) && !Addresses.contains(&S))
        Numbers.push_back(&S);
    }
    if (Numbers.empty())
      return 0;
    uint64_t Mark = FirstMark;
    while (Used.contains(Mark))
      Mark += LeastMark;
    for (const Symbol *S : Numbers)
      writableEntry(Bytes, *S).st_value = S->st_value | Mark;
    return Mark;
  }
};

} // namespace

uint64_t graupel::forgetAbsoluteNumbers(MutableArrayRef<char> Bytes) {
  Expected<ElfView> File = ElfView::open(StringRef(Bytes.data(), Bytes.size()));
  if (!File) {
    consumeError(File.takeError());
    return 0;
  }
  if (File->header().e_machine != ELF::EM_X86_64)
    return 0;
  return Forgetter(*File, Bytes).run();
}
