//===- Stride/Record/Objects.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "SourceLines/SourceLines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <tuple>

namespace graupel::stride {

/// Demangles names of flang: `_Q`, then a letter and a name for each module
/// (M), submodule (S), procedure (F; without a name, the main program) and
/// variable (E). Fortran's own names have no capitals.
static std::string readableFortran(const std::string &Symbol) {
  if (Symbol == "_QQmain")
    return "main program";
  std::string Result;
  for (size_t At = 2; At < Symbol.size();) {
    if (!strchr("MSFE", Symbol[At]))
      return Symbol;
    size_t End = At + 1;
    while (End < Symbol.size() && !llvm::isUpper(Symbol[End]))
      ++End;
    std::string Part = Symbol.substr(At + 1, End - At - 1);
    if (!Result.empty() && !Part.empty())
      Result += "::";
    Result += Part;
    At = End;
  }
  return Result.empty() ? Symbol : Result;
}

std::string readableSymbol(const std::string &Symbol) {
  if (Symbol.starts_with("_Q"))
    return readableFortran(Symbol);
  return llvm::demangle(Symbol);
}

/// Where an allocation is in the program's source, not in the header that makes
/// programs for shared memory sequential.
static std::string placeOf(const SourceLine &Site) {
  static const char Ours[] = "dsm_sequential.h";
  if (Site.File.empty() || !Site.Line)
    return "";
  if (!llvm::StringRef(Site.File).ends_with(Ours))
    return Site.File.substr(Site.File.rfind('/') + 1) + ":" +
           std::to_string(Site.Line);
  for (const SourceLine::Caller &C : Site.Callers)
    if (!llvm::StringRef(C.Name).starts_with(Ours))
      return C.Name;
  return "";
}

static std::string nameOfHeap(const Record &R, const DataObject &O,
                              SourceLines &Lines, std::string &Place) {
  if (O.Facts.Module == NoNumber)
    return "heap";
  const Module &M = R.Modules[O.Facts.Module];
  CodeModule File{M.Path,
                  llvm::toHex(llvm::StringRef(M.BuildId), /*LowerCase=*/true)};
  const SourceLine &Site = Lines.find(File, O.Facts.Offset);
  Place = placeOf(Site);
  return "heap " + nameOfAllocation(Site);
}

static std::string nameOf(const Record &R, const DataObject &O,
                          SourceLines &Lines, std::string &Place) {
  switch (O.Facts.Kind) {
  case ObjectKind::Heap:
    return nameOfHeap(R, O, Lines, Place);
  case ObjectKind::Global:
    return readableSymbol(O.Name);
  case ObjectKind::Stack:
  case ObjectKind::ThreadLocal: {
    size_t Colon = O.Name.rfind(':');
    return Colon == std::string::npos
               ? O.Name
               : readableSymbol(O.Name.substr(0, Colon)) + O.Name.substr(Colon);
  }
  default:
    return O.Name;
  }
}

Objects::Objects(const Record &R) {
  // Modules are elsewhere in each process.
  using Identity = std::tuple<ObjectKind, std::string, std::string, uint64_t>;
  std::map<Identity, uint32_t> Known;
  std::map<std::string, unsigned> Same;
  SourceLines Lines;
  for (const DataObject &O : R.Objects) {
    bool HasModule = O.Facts.Module != NoNumber;
    uint64_t Address = HasModule && O.Facts.Address
                           ? O.Facts.Address - R.Modules[O.Facts.Module].Base
                           : O.Facts.Address;
    Identity Key{O.Facts.Kind,
                 HasModule ? R.Modules[O.Facts.Module].Path : std::string(),
                 O.Name,
                 O.Facts.Kind == ObjectKind::Heap     ? O.Facts.Offset
                 : O.Facts.Kind == ObjectKind::Global ? Address
                                                      : 0};
    // A call stands in both copies of the code, the plain and the recording
    // one.
    std::string Name, Allocation;
    if (O.Facts.Kind == ObjectKind::Heap && !R.Bursts.empty()) {
      Name = nameOf(R, O, Lines, Allocation);
      Key = {O.Facts.Kind, std::get<1>(Key), Name, 0};
    }
    auto [It, New] = Known.try_emplace(Key, size());
    Numbers.push_back(It->second);
    if (New) {
      NamedObject Named;
      Named.Name = Name.empty() ? nameOf(R, O, Lines, Allocation) : Name;
      Named.Allocation = Allocation;
      if (unsigned Before = Same[Named.Name]++)
        Named.Name += " #" + std::to_string(Before + 1);
      if (O.Facts.Kind != ObjectKind::Heap)
        Named.Symbol = O.Name;
      Named.Kind = O.Facts.Kind;
      Named.Address = Address;
      List.push_back(std::move(Named));
    }
    NamedObject &Named = List[It->second];
    Named.Blocks += O.Blocks;
    if (O.Facts.Kind == ObjectKind::Heap)
      Named.Bytes += O.BlockBytes;
    else
      Named.Bytes = O.Facts.Bytes;
  }
  Warnings = Lines.Warnings;
}

} // namespace graupel::stride
