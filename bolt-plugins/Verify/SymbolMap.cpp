//===- Verify/SymbolMap.cpp - Functions of the input and output -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace graupel;

bool graupel::isPartName(StringRef Name) {
  return Name.contains(".cold") || Name.contains(".warm");
}

StringRef graupel::wholeName(StringRef Name) {
  return Name.take_front(std::min(Name.find(".cold"), Name.find(".warm")));
}

namespace {

using Range = SymbolMap::Range;

/// The functions of \p File in the order of its symbols.
std::vector<Range> functionsOf(const ElfView &File) {
  std::vector<Range> List;
  const ElfView::Section *Table = File.find(".symtab");
  if (!Table)
    Table = File.find(".dynsym");
  if (!Table)
    return List;
  StringRef Strings = File.linkedStrings(*Table);
  for (const ElfView::Symbol &S : File.table<ElfView::Symbol>(*Table)) {
    const bool IsFunction =
        S.getType() == ELF::STT_FUNC || S.getType() == ELF::STT_GNU_IFUNC;
    if (IsFunction && File.isCode(S))
      List.push_back({S.st_value, S.st_value + S.st_size,
                      ElfView::string(Strings, S.st_name)});
  }
  return List;
}

/// The end of a function at \p Begin whose symbol has no size: with its unwind
/// record, or where the next record, or \p Next, a function, begins.
uint64_t endOfUnsized(uint64_t Begin, uint64_t Next, const ElfView &File,
                      const UnwindTables &Unwind) {
  const ElfView::Section *S = File.sectionAt(Begin);
  uint64_t End = std::min(Next, S ? S->sh_addr + S->sh_size : Begin + 1);
  auto Record = Unwind.frames().lower_bound(Begin);
  if (Record != Unwind.frames().end())
    End = std::min(End, Record->first == Begin ? Record->second.Record.End
                                               : Record->first);
  return End;
}

/// \p List by address without aliases.
std::vector<Range> apart(std::vector<Range> List, const ElfView &File,
                         const UnwindTables &Unwind) {
  llvm::stable_sort(List, [](const Range &A, const Range &B) {
    return std::tie(A.Begin, B.End) < std::tie(B.Begin, A.End);
  });
  std::vector<Range> Apart;
  for (size_t I = 0; I < List.size(); ++I) {
    Range R = List[I];
    if (!Apart.empty() && R.Begin < Apart.back().End)
      continue;
    if (R.End == R.Begin) {
      const auto Next = std::find_if(
          List.begin() + I + 1, List.end(),
          [&](const Range &Other) { return Other.Begin > R.Begin; });
      R.End = endOfUnsized(
          R.Begin, Next == List.end() ? UINT64_MAX : Next->Begin, File, Unwind);
    }
    Apart.push_back(R);
  }
  return Apart;
}

} // namespace

/// Adds the code of each unwind record that is in no function of \p List.
void SymbolMap::addRecorded(std::vector<Range> &List, const ElfView &File,
                            const UnwindTables &Unwind) {
  const std::vector<Range> Known = apart(List, File, Unwind);
  for (const auto &[Begin, Frame] : Unwind.frames()) {
    const ElfView::Section *S = File.sectionAt(Begin);
    if (S && S->sh_flags & ELF::SHF_EXECINSTR &&
        !File.name(*S).starts_with(".plt") && !at(Known, Begin))
      List.push_back({Begin, Frame.Record.End,
                      Names.save(Twine("function ") + hex(Begin))});
  }
}

SymbolMap::SymbolMap(const ElfView &Input, const ElfView &Output,
                     const UnwindTables &UnwindBefore,
                     const UnwindTables &UnwindNow) {
  std::vector<Range> Before = functionsOf(Input), Now = functionsOf(Output);
  if (!Input.find(".symtab")) {
    addRecorded(Before, Input, UnwindBefore);
    addRecorded(Now, Output, UnwindNow);
  }
  StringMap<SmallVector<uint64_t, 1>> ByName;
  for (const Range &R : Now)
    ByName[R.Name].push_back(R.Begin);
  StringMap<unsigned> Total, Seen;
  for (const Range &R : Before)
    ++Total[R.Name];
  for (const Range &R : Before) {
    auto It = ByName.find(R.Name);
    if (!isPartName(R.Name))
      Entries.try_emplace(R.Begin);
    else if (R.Begin == R.End)
      EmptyParts.insert(R.Begin);
    if (It == ByName.end() || It->second.size() != Total[R.Name])
      continue;
    const uint64_t Place = It->second[Seen[R.Name]++];
    Pairs.push_back({R.Begin, Place, R.Name});
    if (!isPartName(R.Name))
      Entries[R.Begin].push_back(Place);
  }
  Inputs = apart(std::move(Before), Input, UnwindBefore);
  Outputs = apart(std::move(Now), Output, UnwindNow);
  if (Input.find(".symtab")) {
    // They are no entries, since nothing tells what they are now.
    const auto name = [&](uint64_t Begin, uint64_t End) {
      return Range{Begin, End, Names.save(Twine("function ") + hex(Begin))};
    };
    addNameless(Inputs, Input, UnwindBefore, name);
    addNameless(Outputs, Output, UnwindNow, name);
  }
}

const SymbolMap::Range *SymbolMap::at(const std::vector<Range> &List,
                                      uint64_t Address) {
  auto It = llvm::upper_bound(
      List, Address, [](uint64_t A, const Range &R) { return A < R.Begin; });
  return It != List.begin() && Address < std::prev(It)->End ? &*std::prev(It)
                                                            : nullptr;
}

bool SymbolMap::isCounterpart(uint64_t Input, uint64_t Output) const {
  auto It = Entries.find(Input);
  return It != Entries.end() && llvm::is_contained(It->second, Output);
}
