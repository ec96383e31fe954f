//===- Verify/SymbolMap.h - Functions of the input and output ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map between the functions of the input and of the output, by symbols alone:
// the n-th symbol of a name in one file is the n-th of that name in the other.
// A part that the compiler split off (NAME.cold) is no function but more code
// of its function.
//
// Files without a symbol table have the loader's symbols, and unwind records,
// each of which is taken for a function: such functions do not move.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_SYMBOLMAP_H
#define GRAUPEL_VERIFY_SYMBOLMAP_H

#include "FrameRows.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/StringSaver.h"
#include <algorithm>

namespace graupel {

/// Whether \p Name is that of a part that the compiler or the optimizer split
/// off.
bool isPartName(llvm::StringRef Name);

class SymbolMap {
public:
  struct Range {
    uint64_t Begin, End;
    llvm::StringRef Name;
  };
  struct Pair {
    uint64_t Input, Output;
    llvm::StringRef Name;
  };

  SymbolMap(const ElfView &Input, const ElfView &Output,
            const UnwindTables &Before, const UnwindTables &Now);

  /// Each function and part of one, whose name is in both files.
  llvm::ArrayRef<Pair> pairs() const { return Pairs; }
  llvm::ArrayRef<Range> inputs() const { return Inputs; }
  llvm::ArrayRef<Range> outputs() const { return Outputs; }
  /// The function of the input around \p Address; null if there is none.
  const Range *inputAt(uint64_t Address) const { return at(Inputs, Address); }
  const Range *outputAt(uint64_t Address) const { return at(Outputs, Address); }
  /// Whether a function of the input, not a part of one, begins at \p Address.
  bool isEntry(uint64_t Address) const { return Entries.contains(Address); }
  /// Whether \p Output is where the input's function at \p Input is now.
  bool isCounterpart(uint64_t Input, uint64_t Output) const;
  /// Whether \p Address of the input is a part of a function of size 0.
  bool isEmptyPart(uint64_t Address) const {
    return EmptyParts.contains(Address);
  }
  bool empty() const { return Inputs.empty(); }

private:
  llvm::BumpPtrAllocator Allocator;
  llvm::UniqueStringSaver Names{Allocator}; ///< For functions without a symbol.
  std::vector<Range> Inputs, Outputs;       ///< By address, not overlapping.
  std::vector<Pair> Pairs;
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint64_t, 1>> Entries;
  llvm::DenseSet<uint64_t> EmptyParts;

  void addRecorded(std::vector<Range> &List, const ElfView &File,
                   const UnwindTables &Unwind);
  static const Range *at(const std::vector<Range> &List, uint64_t Address);
};

/// Adds to \p List, whose elements have a Begin and an End, are by address and
/// do not overlap, Make(begin, end) for the code of each unwind record that is
/// in none of them: functions whose symbols were stripped from their objects.
template <typename Element, typename Maker>
void addNameless(std::vector<Element> &List, const ElfView &File,
                 const UnwindTables &Unwind, Maker Make) {
  std::vector<Element> Nameless;
  for (const auto &[Begin, Frame] : Unwind.frames()) {
    const ElfView::Section *S = File.sectionAt(Begin);
    if (!S || !(S->sh_flags & llvm::ELF::SHF_EXECINSTR) ||
        File.name(*S).starts_with(".plt") ||
        File.name(*S).starts_with(".bolt.org"))
      continue;
    const uint64_t End = Frame.Record.End;
    const auto Next = llvm::partition_point(
        List, [Begin = Begin](const Element &E) { return E.End <= Begin; });
    if (Next == List.end() || Next->Begin >= End)
      Nameless.push_back(Make(Begin, End));
  }
  const size_t Named = List.size();
  llvm::append_range(List, Nameless);
  std::inplace_merge(
      List.begin(), List.begin() + Named, List.end(),
      [](const Element &A, const Element &B) { return A.Begin < B.Begin; });
}

/// The name of the function that \p Name is a part of, or \p Name.
llvm::StringRef wholeName(llvm::StringRef Name);

} // namespace graupel

#endif // GRAUPEL_VERIFY_SYMBOLMAP_H
