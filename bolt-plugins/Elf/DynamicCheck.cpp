//===- Elf/DynamicCheck.cpp - Checks the dynamic section ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the tables that the loader reads: the dynamic section and the GNU hash
// table. The first defect that is found is the error.
//
// 1. checkHash() follows each chain of a hash table. It has to end, inside of
//    the table and among the symbols.
// 2. The dynamic section must end with DT_NULL, and its segment must be in the
//    file where it is in memory.
// 3. Entries that are names must be inside of the strings. checkDynamicValue()
//    wants code for DT_INIT and DT_FINI, the right sizes of entries, and
//    symbols that are mapped.
// 4. checkDynamicRanges() wants each table inside of a segment, and the tables
//    of relocations in sections of relocations.
//
//===----------------------------------------------------------------------===//

#include "DynamicCheck.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

class Checker {
public:
  explicit Checker(const ElfView &File) : File(File) {}
  Error run() const;

private:
  const ElfView &File;

  static Error bad(const Twine &Problem) {
    return badFile(Problem, "the file is damaged, link it again");
  }
  Error checkDynamicValue(const ElfView::Dyn &D) const;
  Error checkDynamicRanges() const;
  /// Whether the range is made of sections of relocations.
  bool liesInSections(uint64_t Begin, uint64_t Size) const;
  std::optional<uint64_t> dynamicValue(int64_t Tag) const;
  Error checkHash(const ElfView::Section &S) const;
};

std::optional<uint64_t> Checker::dynamicValue(int64_t Tag) const {
  for (const ElfView::Dyn &D : File.dynamic())
    if (D.d_tag == Tag)
      return D.getVal();
  return std::nullopt;
}

Error Checker::checkDynamicValue(const ElfView::Dyn &D) const {
  const uint64_t Value = D.getVal();
  auto bad = [&](StringRef Name, const Twine &Problem) {
    return this->bad("the dynamic section's " + Name + " (" + hex(Value) +
                     ") " + Problem);
  };
  auto entrySize = [&](StringRef Name, uint64_t Size) {
    return Value == Size ? Error::success()
                         : bad(Name, "is not " + Twine(Size));
  };
  switch (D.d_tag) {
  case ELF::DT_INIT:
    return !Value || File.isCode(Value) ? Error::success()
                                        : bad("DT_INIT", "is not code");
  case ELF::DT_FINI:
    return !Value || File.isCode(Value) ? Error::success()
                                        : bad("DT_FINI", "is not code");
  case ELF::DT_SYMENT:
    return entrySize("DT_SYMENT", sizeof(ElfView::Symbol));
  case ELF::DT_RELAENT:
    return entrySize("DT_RELAENT", sizeof(ElfView::Rela));
  case ELF::DT_RELRENT:
    return entrySize("DT_RELRENT", 8);
  case ELF::DT_SYMTAB:
    return File.isMapped(Value)
               ? Error::success()
               : bad("DT_SYMTAB", "is not inside of a segment");
  default:
    return Error::success();
  }
}

Error Checker::checkDynamicRanges() const {
  struct Range {
    int64_t Begin, Size;
    StringRef Name;
  };
  static constexpr Range Ranges[] = {
      {ELF::DT_STRTAB, ELF::DT_STRSZ, "DT_STRTAB"},
      {ELF::DT_RELA, ELF::DT_RELASZ, "DT_RELA"},
      {ELF::DT_RELR, ELF::DT_RELRSZ, "DT_RELR"},
      {ELF::DT_JMPREL, ELF::DT_PLTRELSZ, "DT_JMPREL"},
      {ELF::DT_INIT_ARRAY, ELF::DT_INIT_ARRAYSZ, "DT_INIT_ARRAY"},
      {ELF::DT_FINI_ARRAY, ELF::DT_FINI_ARRAYSZ, "DT_FINI_ARRAY"}};
  for (const Range &R : Ranges) {
    std::optional<uint64_t> Begin = dynamicValue(R.Begin);
    std::optional<uint64_t> Size = dynamicValue(R.Size);
    if (!Begin || !Size || !*Size)
      continue;
    if (!File.isMapped(*Begin, *Size))
      return bad("the dynamic section's " + R.Name + " (" + hex(*Begin) + ", " +
                 Twine(*Size) + " bytes) is not inside of a segment");
    // BOLT finds relocations by their sections.
    if ((R.Begin == ELF::DT_RELA || R.Begin == ELF::DT_JMPREL) &&
        !liesInSections(*Begin, *Size))
      return bad("the dynamic section's " + R.Name + " (" + hex(*Begin) +
                 ") is not in a section of relocations");
  }
  return Error::success();
}

bool Checker::liesInSections(uint64_t Begin, uint64_t Size) const {
  uint64_t Covered = 0;
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC &&
        S.sh_addr >= Begin && S.sh_addr < Begin + Size)
      Covered += S.sh_size;
  return Covered >= Size;
}

/// The hash table of the GNU loader, by which programs are searched for
/// symbols: each chain ends, and among the symbols.
Error Checker::checkHash(const ElfView::Section &S) const {
  const uint64_t Symbols =
      File.table<ElfView::Symbol>(File.sections()[S.sh_link]).size();
  const StringRef Bytes = File.content(S);
  auto bad = [&] {
    return this->bad(File.describe(S) + " leads out of the symbols");
  };
  auto word = [&](uint64_t Index) {
    return support::endian::read32le(Bytes.data() + 4 * Index);
  };
  if (Bytes.size() < 16)
    return bad();
  const uint64_t Buckets = word(0), First = word(1), Filter = word(2);
  const uint64_t Words = Bytes.size() / 4, Chains = 4 + 2 * Filter + Buckets;
  if (!isPowerOf2_64(Filter) || Chains > Words)
    return bad();
  uint64_t Seen = 0;
  for (uint64_t Bucket = Chains - Buckets; Bucket < Chains; ++Bucket) {
    if (!word(Bucket))
      continue;
    for (uint64_t Symbol = word(Bucket);; ++Symbol) {
      // No symbol is in two chains.
      if (Symbol < First || Symbol >= Symbols ||
          Chains + Symbol - First >= Words || ++Seen > Symbols)
        return bad();
      if (word(Chains + Symbol - First) & 1)
        break;
    }
  }
  return Error::success();
}

Error Checker::run() const {
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_GNU_HASH)
      if (Error E = checkHash(S))
        return E;
  for (const ElfView::Segment &S : File.segments()) {
    if (S.p_type != ELF::PT_DYNAMIC)
      continue;
    if (File.dynamic().size() ==
        ElfView::entries<ElfView::Dyn>(File.content(S)).size())
      return bad("segment " + Twine(&S - File.segments().data()) +
                 " is the dynamic section but has no end");
    if (!File.isMapped(S.p_vaddr, S.p_filesz) ||
        File.bytesAt(S.p_vaddr).data() != File.content(S).data())
      return bad("segment " + Twine(&S - File.segments().data()) +
                 " is the dynamic section but not where it is loaded");
  }
  const uint64_t Strings = dynamicValue(ELF::DT_STRSZ).value_or(0);
  for (const ElfView::Dyn &D : File.dynamic()) {
    if ((D.d_tag == ELF::DT_NEEDED || D.d_tag == ELF::DT_SONAME ||
         D.d_tag == ELF::DT_RUNPATH || D.d_tag == ELF::DT_RPATH) &&
        D.getVal() >= Strings)
      return bad("the dynamic section names something outside of its strings");
    if (Error E = checkDynamicValue(D))
      return E;
  }
  return checkDynamicRanges();
}

} // namespace

Error graupel::checkDynamicSection(const ElfView &File) {
  return Checker(File).run();
}
