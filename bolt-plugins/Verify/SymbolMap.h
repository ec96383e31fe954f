//===- Verify/SymbolMap.h - Functions of the input and output ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which function of the output is which of the input, by symbols alone: the
// n-th symbol of a name in one file is the n-th of that name in the other. A
// part that the compiler split off (NAME.cold) is no function but more code of
// its function.
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
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/StringSaver.h"

namespace graupel {

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
  llvm::UniqueStringSaver Names{Allocator}; ///< Of functions without a symbol.
  std::vector<Range> Inputs, Outputs;       ///< By address, not overlapping.
  std::vector<Pair> Pairs;
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint64_t, 1>> Entries;
  llvm::DenseSet<uint64_t> EmptyParts;

  void addRecorded(std::vector<Range> &List, const ElfView &File,
                   const UnwindTables &Unwind);
  void addNameless(std::vector<Range> &List, const ElfView &File,
                   const UnwindTables &Unwind);
  static const Range *at(const std::vector<Range> &List, uint64_t Address);
};

/// Whether \p Name is that of a part that the compiler or the optimizer split
/// off.
bool isPartName(llvm::StringRef Name);
/// The name of the function that \p Name is a part of, or \p Name.
llvm::StringRef wholeName(llvm::StringRef Name);

} // namespace graupel

#endif // GRAUPEL_VERIFY_SYMBOLMAP_H
