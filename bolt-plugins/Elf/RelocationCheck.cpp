//===- Elf/RelocationCheck.cpp - Checks applied relocations ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelocationCheck.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;

/// The form in which a relocation writes the address of its symbol.
struct Form {
  unsigned Size;
  bool IsRelative;
};

/// Nothing for kinds that linkers lead elsewhere (through PLT and GOT) or
/// relax.
std::optional<Form> formOf(uint32_t Type) {
  switch (Type) {
  case ELF::R_X86_64_64:
    return Form{8, false};
  case ELF::R_X86_64_32:
  case ELF::R_X86_64_32S:
    return Form{4, false};
  case ELF::R_X86_64_PC32:
    return Form{4, true};
  case ELF::R_X86_64_PC64:
    return Form{8, true};
  default:
    return std::nullopt;
  }
}

uint32_t typeOf(const Rela &R) { return R.getType(/*isMips64EL=*/false); }

class Checker {
public:
  explicit Checker(const ElfView &File) : File(File) {}

  Error run() {
    for (const Section &S : File.sections().drop_front())
      if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC)
        for (const Rela &R : File.table<Rela>(S))
          Dynamic[R.r_offset] = &R;
    for (const Section &S : File.sections().drop_front())
      if (Error E = isChecked(S) ? check(S) : Error::success())
        return E;
    return Error::success();
  }

private:
  const ElfView &File;
  /// The loader's relocations, by place.
  DenseMap<uint64_t, const Rela *> Dynamic;

  bool isChecked(const Section &S) const {
    if (!File.isAppliedToProgram(S))
      return false;
    const Section &Target = File.sections()[S.sh_info];
    // Linkers rearrange unwind records after relocating them.
    return Target.sh_type != ELF::SHT_NOBITS &&
           !File.name(Target).starts_with(".eh_frame");
  }

  /// Whether \p S has one address, which all relocations mean.
  bool isPlain(const Symbol &S) const {
    if (S.getType() == ELF::STT_TLS || S.getType() == ELF::STT_GNU_IFUNC)
      return false;
    if (S.st_shndx == ELF::SHN_ABS)
      return true;
    if (S.st_shndx == ELF::SHN_UNDEF || S.st_shndx >= File.sections().size())
      return false;
    // Parts of these were put together, whatever their relocations say.
    return !(File.sections()[S.st_shndx].sh_flags &
             (ELF::SHF_MERGE | ELF::SHF_TLS));
  }

  /// The value that \p R left in the file; nothing if the loader is to decide.
  std::optional<uint64_t> foundAt(const Rela &R, Form Field) const {
    if (const Rela *Loader = Dynamic.lookup(R.r_offset)) {
      if (typeOf(*Loader) != ELF::R_X86_64_RELATIVE || Field.Size != 8)
        return std::nullopt;
      return Loader->r_addend;
    }
    const StringRef Bytes = File.bytesAt(R.r_offset);
    if (Bytes.size() < Field.Size)
      return std::nullopt;
    return Field.Size == 8 ? support::endian::read64le(Bytes.data())
                           : support::endian::read32le(Bytes.data());
  }

  bool agrees(const Rela &R, const Symbol &S) const {
    const std::optional<Form> Field = formOf(typeOf(R));
    if (!Field || !isPlain(S))
      return true;
    const std::optional<uint64_t> Found = foundAt(R, *Field);
    const uint64_t Wanted = S.st_value + uint64_t(R.r_addend) -
                            (Field->IsRelative ? uint64_t(R.r_offset) : 0);
    return !Found || (Field->Size == 8 ? *Found == Wanted
                                       : uint32_t(*Found - Wanted) == 0);
  }

  Error check(const Section &S) const {
    ArrayRef<Symbol> Symbols = File.table<Symbol>(File.sections()[S.sh_link]);
    for (const auto &[Number, R] : llvm::enumerate(File.table<Rela>(S)))
      if (!agrees(R, Symbols[R.getSymbol(/*isMips64EL=*/false)]))
        return badFile(File.describe(S) + " holds relocation " + Twine(Number) +
                           ", which is not what the linker wrote to " +
                           hex(R.r_offset),
                       "the file is damaged or was changed after it was "
                       "linked, link it again");
    return Error::success();
  }
};

} // namespace

Error graupel::checkAppliedRelocations(const ElfView &File) {
  if (File.header().e_machine != ELF::EM_X86_64)
    return Error::success();
  return Checker(File).run();
}
