//===- Verify/AppliedRelocations.cpp - Where addresses are ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Relocations that the linker applied tell the places in code and data, and
//    what code and pointers refer to; symbols of data tell where more begins.
// 2. The loader's, plain or packed, tell what it will write.
// 3. All lists are sorted, so that questions take a binary search.
//
//===----------------------------------------------------------------------===//

#include "AppliedRelocations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

static constexpr uint64_t PointerSize = 8;

AppliedRelocations::AppliedRelocations(const ElfView &File) : File(File) {
  for (const ElfView::Section &S : File.sections()) {
    if (S.sh_type == ELF::SHT_RELR && S.sh_flags & ELF::SHF_ALLOC)
      readPacked(S);
    if (S.sh_type == ELF::SHT_SYMTAB)
      readNames(S);
    if (S.sh_type != ELF::SHT_RELA)
      continue;
    if (!(S.sh_flags & ELF::SHF_ALLOC)) {
      readApplied(S);
      continue;
    }
    readLoaders(S);
  }
  auto byAddress = [](const Place &A, const Place &B) {
    return A.Address < B.Address;
  };
  llvm::sort(Code, byAddress);
  llvm::sort(Data, byAddress);
  llvm::sort(References);
  llvm::sort(Named);
  llvm::sort(Ends);
}

void AppliedRelocations::readLoaders(const ElfView::Section &Table) {
  ArrayRef<ElfView::Symbol> Names;
  if (Table.sh_link < File.sections().size())
    Names = File.table<ElfView::Symbol>(File.sections()[Table.sh_link]);
  for (const ElfView::Rela &R : File.table<ElfView::Rela>(Table)) {
    const uint32_t Type = R.getType(/*isMips64EL=*/false),
                   Symbol = R.getSymbol(/*isMips64EL=*/false);
    if (Type == ELF::R_X86_64_RELATIVE || Type == ELF::R_X86_64_IRELATIVE)
      Relative[R.r_offset] = R.r_addend;
    else if (Symbol && Symbol < Names.size() && Names[Symbol].st_value)
      Symbols[R.r_offset] = Names[Symbol].st_value;
  }
}

void AppliedRelocations::readApplied(const ElfView::Section &Table) {
  if (!Table.sh_info || Table.sh_info >= File.sections().size())
    return;
  const ElfView::Section &Home = File.sections()[Table.sh_info];
  if (!(Home.sh_flags & ELF::SHF_ALLOC))
    return;
  const bool IsCode = Home.sh_flags & ELF::SHF_EXECINSTR;
  ArrayRef<ElfView::Symbol> Symbols;
  if (Table.sh_link < File.sections().size())
    Symbols = File.table<ElfView::Symbol>(File.sections()[Table.sh_link]);
  for (const ElfView::Rela &R : File.table<ElfView::Rela>(Table)) {
    const uint32_t Type = R.getType(/*isMips64EL=*/false);
    if (Type == ELF::R_X86_64_NONE)
      continue;
    (IsCode ? Code : Data).push_back({R.r_offset, Type});
    const uint32_t Symbol = R.getSymbol(/*isMips64EL=*/false);
    if (Symbol >= Symbols.size())
      continue;
    if (IsCode)
      noteEnd(R, Symbols[Symbol]);
    else if (Type != ELF::R_X86_64_64)
      continue; // Entries of switches do not say where others begin.
    const uint64_t Value = Symbols[Symbol].st_value + R.r_addend;
    References.push_back(Type == ELF::R_X86_64_PC32 ? Value + 4 : Value);
  }
}

void AppliedRelocations::readNames(const ElfView::Section &Table) {
  for (const ElfView::Symbol &S : File.table<ElfView::Symbol>(Table))
    if (S.st_shndx && S.st_name && !File.isCode(S.st_value) &&
        S.getType() != ELF::STT_TLS)
      Named.push_back(S.st_value);
}

/// The end of a table may be the beginning of a function. Its address does not
/// follow that function.
void AppliedRelocations::noteEnd(const ElfView::Rela &R,
                                 const ElfView::Symbol &S) {
  if (!S.st_shndx || S.st_shndx >= File.sections().size() ||
      S.getType() == ELF::STT_SECTION || !File.isCode(S.st_value))
    return;
  const ElfView::Section &Home = File.sections()[S.st_shndx];
  if (S.st_value != Home.sh_addr + Home.sh_size)
    return;
  Ends.push_back(R.r_offset);
  StringRef Bytes = File.bytesAt(R.r_offset);
  switch (R.getType(/*isMips64EL=*/false)) {
  case ELF::R_X86_64_GOTPCREL:
  case ELF::R_X86_64_GOTPCRELX:
  case ELF::R_X86_64_REX_GOTPCRELX:
    // Linkers put other instructions in the place of some.
    if (Bytes.size() >= 4)
      SlotsOfEnds.insert(R.r_offset - R.r_addend +
                         int32_t(support::endian::read32le(Bytes.data())));
  }
}

/// An even word is a place, an odd one says which of the next 63 are, too.
void AppliedRelocations::readPacked(const ElfView::Section &Table) {
  uint64_t Next = 0;
  for (const auto Word :
       File.table<support::detail::packed_endian_specific_integral<
           uint64_t, endianness::little, support::unaligned>>(Table)) {
    auto add = [&](uint64_t Place) {
      StringRef Bytes = File.bytesAt(Place);
      if (Bytes.size() >= PointerSize)
        Relative[Place] = support::endian::read64le(Bytes.data());
    };
    if (!(Word & 1)) {
      add(Word);
      Next = Word + PointerSize;
      continue;
    }
    for (unsigned Bit = 1; Bit < 64; ++Bit)
      if (Word >> Bit & 1)
        add(Next + (Bit - 1) * PointerSize);
    Next += 63 * PointerSize;
  }
}

static const AppliedRelocations::Place *
atOrBehind(const std::vector<AppliedRelocations::Place> &List,
           uint64_t Address) {
  auto It = llvm::lower_bound(List, Address,
                              [](const AppliedRelocations::Place &P,
                                 uint64_t A) { return P.Address < A; });
  return It == List.end() ? nullptr : &*It;
}

bool AppliedRelocations::hasAbsolute(uint64_t Begin, uint64_t End) const {
  for (const Place *P = atOrBehind(Code, Begin); P && P->Address < End;
       P = P == &Code.back() ? nullptr : P + 1)
    if (P->Type == ELF::R_X86_64_64 || P->Type == ELF::R_X86_64_32 ||
        P->Type == ELF::R_X86_64_32S)
      return true;
  return false;
}

bool AppliedRelocations::hasEndOfSection(uint64_t Begin, uint64_t End) const {
  auto It = llvm::lower_bound(Ends, Begin);
  return It != Ends.end() && *It < End;
}

const AppliedRelocations::Place *
AppliedRelocations::dataAt(uint64_t Address) const {
  const Place *P = atOrBehind(Data, Address);
  return P && P->Address == Address ? P : nullptr;
}

std::optional<uint64_t> AppliedRelocations::pointerAt(uint64_t Place) const {
  if (auto It = Relative.find(Place); It != Relative.end())
    return It->second;
  StringRef Bytes = File.bytesAt(Place);
  if (Bytes.size() < PointerSize)
    return std::nullopt;
  return support::endian::read64le(Bytes.data());
}
