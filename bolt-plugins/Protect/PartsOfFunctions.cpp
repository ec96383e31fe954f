//===- Protect/PartsOfFunctions.cpp - Owners of cold parts ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT 22 finds the function of NAME.cold by its name. If several are called
// NAME, it takes the first one behind the symbol of the same source file. Many
// libraries in archives have no symbols of source files, so that two copies of
// NAME in different objects look like one file's: both parts become the first
// copy's. A switch of the second one then seems to end where an entry leads
// into the part, and is written cut short; frame optimization takes the second
// one for whole.
//
// 1. In the order of the symbol table, objects are told apart by the symbols of
//    source files, where there are any.
// 2. A part may belong to each function of its name in its own stretch of the
//    table and to each global one.
// 3. If these are several, the part is made a part of them all. That is more
//    than the truth, and safe: passes that ask do less to functions in parts.
// 4. A part may be empty: what is never reached leads there. If another part
//    begins at the same address, which is what BOLT knows functions by, it is
//    none of this one's.
//
//===----------------------------------------------------------------------===//

#include "PartsOfFunctions.h"
#include "Support/BoltInternals.h"
#include "Verify/SymbolMap.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

using Symbol = ElfView::Symbol;

DoubtfulParts Noted;

struct NamedCode {
  uint64_t Address;
  /// Stretch of the symbol table; all global symbols are in one.
  unsigned Stretch;
  bool IsEmpty;
};

constexpr unsigned Global = 0;

/// Steps 1 and 2.
class PartFinder {
public:
  explicit PartFinder(const ElfView &File) : File(File) {}

  DoubtfulParts run() {
    const ElfView::Section *Table = File.find(".symtab");
    if (!Table)
      return {};
    StringRef Strings = File.linkedStrings(*Table);
    unsigned Stretch = Global + 1;
    for (const Symbol &S : File.table<Symbol>(*Table)) {
      Stretch += S.getType() == ELF::STT_FILE;
      if (S.getType() == ELF::STT_FUNC && S.st_shndx != ELF::SHN_UNDEF &&
          S.st_shndx != ELF::SHN_ABS)
        add(ElfView::string(Strings, S.st_name),
            {S.st_value, S.getBinding() == ELF::STB_LOCAL ? Stretch : Global,
             S.st_size == 0});
    }
    DenseSet<uint64_t> WithCode;
    for (const auto &[Name, Part] : Parts)
      if (!Part.IsEmpty)
        WithCode.insert(Part.Address);
    DoubtfulParts Result;
    for (const auto &[Name, Part] : Parts) {
      const std::vector<PartOfFunction> Found = functionsOf(Name, Part);
      if (Part.IsEmpty && WithCode.contains(Part.Address))
        append_range(Result.Empty, Found);
      else if (Found.size() > 1)
        append_range(Result.Ambiguous, Found);
    }
    return Result;
  }

private:
  const ElfView &File;
  StringMap<std::vector<NamedCode>> Functions;
  std::vector<std::pair<StringRef, NamedCode>> Parts;

  void add(StringRef Name, NamedCode Code) {
    if (isPartName(Name))
      Parts.push_back({wholeName(Name), Code});
    else
      Functions[Name].push_back(Code);
  }

  std::vector<PartOfFunction> functionsOf(StringRef Name,
                                          const NamedCode &Part) const {
    std::vector<PartOfFunction> Result;
    for (const NamedCode &F : Functions.lookup(Name))
      if (F.Stretch == Part.Stretch || F.Stretch == Global)
        if (none_of(Result, [&](const PartOfFunction &Known) {
              return Known.Function == F.Address;
            }))
          Result.push_back({Part.Address, F.Address});
    return Result;
  }
};

} // namespace

DoubtfulParts graupel::findDoubtfulParts(const ElfView &File) {
  return PartFinder(File).run();
}

void graupel::noteDoubtfulParts(StringRef Data) {
  Expected<ElfView> File = ElfView::open(Data);
  if (File)
    Noted = findDoubtfulParts(*File);
  else
    consumeError(File.takeError());
}

void graupel::relateParts(BinaryContext &BC) {
  auto forEach = [&](ArrayRef<PartOfFunction> Pairs, auto Do) {
    for (const PartOfFunction &P : Pairs) {
      BinaryFunction *Part = BC.getBinaryFunctionAtAddress(P.Part);
      BinaryFunction *Function = BC.getBinaryFunctionAtAddress(P.Function);
      if (Part && Function && Part != Function && Part->isFragment())
        Do(*Part, *Function);
    }
  };
  forEach(Noted.Empty, [](BinaryFunction &Part, BinaryFunction &Function) {
    (Part.*member(internals::ParentFragmentsTag())).erase(&Function);
    (Function.*member(internals::FragmentsTag())).erase(&Part);
  });
  forEach(Noted.Ambiguous, [&](BinaryFunction &Part, BinaryFunction &Function) {
    BC.registerFragment(Part, Function);
  });
  Noted = DoubtfulParts();
}
