//===- Driver/SymbolVersions.cpp - Symbols of one name --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library may define a symbol once for each version. GNU ld writes the
// version into the name (f@V1, f@@V2); lld, mold and gold do not, and BOLT
// refuses a file in which two global symbols have one name.
//
//   1. Find the global definitions whose name another one has, too.
//   2. Their versions are in the dynamic symbol table, at the same address.
//   3. All but the default version get the name that GNU ld would have given
//      them, in a copy of the string table behind the end of the file.
//
//===----------------------------------------------------------------------===//

#include "SymbolVersions.h"
#include "Elf/ElfView.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <cstring>
#include <map>

using namespace llvm;
using namespace graupel;

using Symbol = ElfView::Symbol;
using Section = ElfView::Section;

static bool isGlobalDefinition(const Symbol &S) {
  return S.getBinding() != ELF::STB_LOCAL && S.st_shndx != ELF::SHN_UNDEF;
}

namespace {

class Versions {
public:
  explicit Versions(const ElfView &File) : File(File) {
    readNames();
    const Section *Numbers = File.find(".gnu.version");
    const Section *Dynamic = File.find(".dynsym");
    if (!Numbers || !Dynamic)
      return;
    ArrayRef<support::ulittle16_t> Number =
        File.table<support::ulittle16_t>(*Numbers);
    ArrayRef<Symbol> Symbols = File.table<Symbol>(*Dynamic);
    StringRef Strings = File.linkedStrings(*Dynamic);
    for (size_t I = 0; I < std::min(Number.size(), Symbols.size()); ++I)
      if (isGlobalDefinition(Symbols[I]) && Number[I] & ELF::VERSYM_HIDDEN)
        Hidden[{ElfView::string(Strings, Symbols[I].st_name),
                Symbols[I].st_value}] =
            NameOf.lookup(Number[I] & ELF::VERSYM_VERSION);
  }

  /// Empty for the default version, and for what has none.
  StringRef of(StringRef Name, uint64_t Address) const {
    auto It = Hidden.find({Name, Address});
    return It == Hidden.end() ? StringRef() : It->second;
  }

private:
  const ElfView &File;
  DenseMap<unsigned, StringRef> NameOf;
  std::map<std::pair<StringRef, uint64_t>, StringRef> Hidden;

  void readNames() {
    const Section *Definitions = File.find(".gnu.version_d");
    if (!Definitions)
      return;
    using Definition = ElfView::Types::Verdef;
    using Name = ElfView::Types::Verdaux;
    StringRef Bytes = File.content(*Definitions);
    StringRef Strings = File.linkedStrings(*Definitions);
    uint64_t At = 0;
    while (fits(At, sizeof(Definition), Bytes.size())) {
      const auto *D = reinterpret_cast<const Definition *>(Bytes.data() + At);
      if (fits(At + D->vd_aux, sizeof(Name), Bytes.size()))
        NameOf[D->vd_ndx] = ElfView::string(
            Strings,
            reinterpret_cast<const Name *>(Bytes.data() + At + D->vd_aux)
                ->vda_name);
      if (!D->vd_next)
        return;
      At += D->vd_next;
    }
  }
};

} // namespace

/// The names of the symbols of \p Table that must have another one, by index.
static std::map<size_t, std::string> newNames(const ElfView &File,
                                              const Section &Table) {
  ArrayRef<Symbol> Symbols = File.table<Symbol>(Table);
  StringRef Strings = File.linkedStrings(Table);
  StringMap<SmallVector<size_t, 1>> ByName;
  for (size_t I = 0; I < Symbols.size(); ++I)
    if (isGlobalDefinition(Symbols[I]))
      ByName[ElfView::string(Strings, Symbols[I].st_name)].push_back(I);
  std::map<size_t, std::string> Names;
  const Versions Version(File);
  for (const auto &Entry : ByName) {
    if (Entry.second.size() < 2)
      continue;
    for (size_t I : Entry.second)
      if (StringRef V = Version.of(Entry.first(), Symbols[I].st_value);
          !V.empty())
        Names[I] = (Entry.first() + "@" + V).str();
  }
  return Names;
}

std::unique_ptr<MemoryBuffer>
graupel::nameVersions(std::unique_ptr<MemoryBuffer> File) {
  Expected<ElfView> View = ElfView::open(File->getBuffer());
  if (!View) {
    consumeError(View.takeError());
    return File;
  }
  const Section *Table = View->find(".symtab");
  const std::map<size_t, std::string> Names =
      Table ? newNames(*View, *Table) : std::map<size_t, std::string>();
  if (Names.empty())
    return File;
  std::string Strings = View->linkedStrings(*Table).str();
  const char *Begin = File->getBufferStart();
  const uint64_t StringsAt = File->getBufferSize();
  auto offset = [&](const void *Pointer) {
    return static_cast<const char *>(Pointer) - Begin;
  };
  std::vector<std::pair<uint64_t, uint32_t>> Offsets;
  for (const auto &[Index, Name] : Names) {
    Offsets.push_back(
        {offset(&View->table<Symbol>(*Table)[Index].st_name), Strings.size()});
    Strings += Name;
    Strings += '\0';
  }
  auto Copy = WritableMemoryBuffer::getNewUninitMemBuffer(
      StringsAt + Strings.size(), File->getBufferIdentifier());
  char *To = Copy->getBufferStart();
  std::memcpy(To, Begin, StringsAt);
  std::memcpy(To + StringsAt, Strings.data(), Strings.size());
  for (auto [At, Name] : Offsets)
    support::endian::write32le(To + At, Name);
  auto *Header = reinterpret_cast<Section *>(
      To + offset(&View->sections()[Table->sh_link]));
  Header->sh_offset = StringsAt;
  Header->sh_size = Strings.size();
  return Copy;
}
