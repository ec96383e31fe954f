//===- Elf/UnsupportedInput.cpp - Sound, but not for us ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rejects input that would make BOLT fail later, by messages that say less, or
// be wrong:
//
//  1. Android's packed relocations, and unwind records that the loader writes;
//  2. sections and symbols that were stripped after linking;
//  3. AddressSanitizer;
//  4. more memory than 32-bit references from new code reach;
//  5. cold parts without the function that their names say;
//  6. exception tables of functions whose blocks have sections of their own;
//  7. relocations in the format CREL.
//
//===----------------------------------------------------------------------===//

#include "UnsupportedInput.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace graupel;

namespace {

/// Android's loader reads its relocations from a stream of differences, which
/// BOLT does not know; what it points to would not follow the code.
Error checkPackedRelocations(const ElfView &File) {
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_ANDROID_REL ||
        S.sh_type == ELF::SHT_ANDROID_RELA ||
        S.sh_type == ELF::SHT_ANDROID_RELR)
      return badFile(File.describe(S) +
                         " holds dynamic relocations in Android's packed "
                         "format, which cannot be rewritten",
                     "link it without --pack-dyn-relocs=android or with "
                     "--pack-dyn-relocs=relr");
  return Error::success();
}

/// The output has other unwind records, in another place. Text relocations that
/// belong to the old ones are not moved with them.
Error checkLoadedRecords(const ElfView &File) {
  const ElfView::Section *Frames = File.find(".eh_frame");
  if (!Frames)
    return Error::success();
  const auto IsInRecords = [&](uint64_t Address) {
    return Address - Frames->sh_addr < Frames->sh_size;
  };
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC)
      for (const ElfView::Rela &R : File.table<ElfView::Rela>(S))
        if (IsInRecords(R.r_offset))
          return badFile(File.describe(*Frames) +
                             " holds an address that the loader writes, at " +
                             hex(R.r_offset) +
                             ", so unwind records cannot be rewritten",
                         "compile with -fPIE or -fPIC what the linker warns of "
                         "(relocation in .eh_frame)");
  return Error::success();
}

/// GNU strip keeps relocations, and takes the symbols of all functions that are
/// not exported. In an object that was stripped (strip -x), functions are found
/// by their unwind records. In a program that is not enough: assembly and start
/// files have none, and would count as parts of other functions.
Error checkStripped(const ElfView &File) {
  const ElfView::Section *Table = File.find(".symtab");
  if (!Table)
    return Error::success();
  DenseSet<uint64_t> Named;
  for (const ElfView::Symbol &S : File.table<ElfView::Symbol>(*Table))
    if (S.getType() != ELF::STT_SECTION && S.st_shndx != ELF::SHN_UNDEF)
      Named.insert(S.st_value);
  SmallVector<uint64_t, 3> Begins = {File.header().e_entry};
  for (StringRef Name : {".init", ".fini"})
    if (const ElfView::Section *S = File.find(Name); S && S->sh_size)
      Begins.push_back(S->sh_addr);
  for (uint64_t Begin : Begins)
    if (Begin && File.isCode(Begin) && !Named.contains(Begin))
      return badFile("its functions have lost their symbols, as that at " +
                         hex(Begin) + ": it was stripped",
                     "give it as it was linked, and link it without -x");
  return Error::success();
}

/// The name of the function whose cold part has the name \p Name; empty if it
/// is no such name.
StringRef nameOfWhole(StringRef Name) {
  const StringRef Numbered = Name.rtrim("0123456789");
  if (Numbered.size() < Name.size() && Numbered.ends_with("."))
    Name = Numbered.drop_back();
  return Name.consume_back(".cold") || Name.consume_back(".warm") ? Name
                                                                  : StringRef();
}

/// Parts are found by their names. Some tools rename functions, but not parts.
Error checkParts(const ElfView &File) {
  const ElfView::Section *Table = File.find(".symtab");
  if (!Table)
    return Error::success();
  StringSet<> Known;
  std::vector<StringRef> Parts;
  const StringRef Strings = File.linkedStrings(*Table);
  for (const ElfView::Symbol &S : File.table<ElfView::Symbol>(*Table)) {
    if (S.st_shndx == ELF::SHN_UNDEF)
      continue;
    const StringRef Name = ElfView::string(Strings, S.st_name);
    Known.insert(Name);
    if (S.getType() == ELF::STT_FUNC && S.st_shndx != ELF::SHN_ABS &&
        !nameOfWhole(Name).empty())
      Parts.push_back(Name);
  }
  for (StringRef Name : Parts)
    if (!Known.contains(nameOfWhole(Name)))
      return badFile("it has " + Name + ", the cold part of " +
                         nameOfWhole(Name) +
                         ", but no function of that name: it was renamed",
                     "rename the part, too (objcopy --redefine-sym), and link "
                     "without -z unique-symbol");
  return Error::success();
}

/// New code and unwind tables lie behind everything, and reach the rest by 32
/// bits with a sign. Medium and large code models allow more than that.
Error checkReach(const ElfView &File) {
  if (File.memorySpan() <= uint64_t(INT32_MAX))
    return Error::success();
  return badFile("its code and data span " +
                     std::to_string(File.memorySpan() >> 20) +
                     " MiB, and new code behind them reaches 2,048 MiB",
                 "allocate large arrays when the program runs");
}

bool hasSymbol(const ElfView &File, function_ref<bool(StringRef)> Is) {
  const ElfView::Section *Table = File.find(".symtab");
  if (!Table)
    return false;
  const StringRef Strings = File.linkedStrings(*Table);
  return any_of(File.table<ElfView::Symbol>(*Table),
                [&](const ElfView::Symbol &S) {
                  return Is(ElfView::string(Strings, S.st_name));
                });
}

/// Whether a part of a function that clang put into a section of its own, for a
/// block (-fbasic-block-sections), is named.
bool hasBlockSections(const ElfView &File) {
  return hasSymbol(File,
                   [](StringRef Name) { return Name.contains(".__part."); });
}

/// BOLT refuses these without saying which sanitizer, or what to do.
Error checkSanitizer(const ElfView &File) {
  if (!hasSymbol(File, [](StringRef Name) { return Name == "__asan_init"; }))
    return Error::success();
  return badFile("it has AddressSanitizer (__asan_init), and BOLT does not "
                 "rewrite such programs",
                 "optimize a build without -fsanitize=address");
}

} // namespace

Error graupel::checkBlockSections(const ElfView &File) {
  // One table serves all sections of a function. BOLT reads one for each.
  if (File.find(".gcc_except_table") && hasBlockSections(File))
    return badFile("it has exception tables and was compiled with "
                   "-fbasic-block-sections, which cannot be rewritten",
                   "compile it without that option");
  return Error::success();
}

Error graupel::checkCompactRelocations(const ElfView &File) {
  for (const ElfView::Section &S : File.sections())
    if (S.sh_type == ELF::SHT_CREL)
      return badFile(File.describe(S) +
                         " holds relocations in the format CREL, which cannot "
                         "be read",
                     "compile without --crel");
  return Error::success();
}

Error graupel::checkSupported(const ElfView &File) {
  if (Error E = checkPackedRelocations(File))
    return E;
  if (Error E = checkLoadedRecords(File))
    return E;
  if (Error E = checkStripped(File))
    return E;
  if (Error E = checkSanitizer(File))
    return E;
  if (Error E = checkReach(File))
    return E;
  return checkParts(File);
}
