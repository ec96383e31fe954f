//===- Copies/KnownAddresses.h - Who may know code --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a file without the linker's relocations says about addresses of code.
// Each number that could be one counts as one. Plain ELF.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_KNOWNADDRESSES_H
#define GRAUPEL_COPIES_KNOWNADDRESSES_H

#include "Elf/ElfView.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <vector>

namespace graupel {

/// From \p Begin to before \p End.
struct AddressRange {
  uint64_t Begin, End;
};

class KnownAddresses {
public:
  explicit KnownAddresses(const ElfView &File);

  /// Adds what tables of distances lead to. \p Proved are the ends of proved
  /// jump tables by their begins: nothing else is read through these.
  void addTables(const ElfView &File,
                 const std::map<uint64_t, uint64_t> &Proved);

  /// A number at \p At that leads to \p Target, if it is one.
  struct Hit {
    uint64_t Target, At;
    auto operator<=>(const Hit &) const = default;
  };
  /// Says of what was found among instructions whether it is part of one.
  using Filter = llvm::function_ref<bool(const Hit &)>;

  /// Whether data or code may hold an address in [\p Begin, \p End).
  bool isHeld(uint64_t Begin, uint64_t End, Filter IsReal) const {
    return hasOneIn(Held, Begin, End, IsReal) ||
           hasOneIn(Distances, Begin, End, IsReal);
  }
  /// The same without distances of data from itself, which most numbers may be.
  bool isAddress(uint64_t Begin, uint64_t End, Filter IsReal) const {
    return hasOneIn(Held, Begin, End, IsReal);
  }
  /// Whether a branch with a displacement of 4 bytes, an exception, or who looks
  /// up a symbol may lead to [\p Begin, \p End).
  bool isBranchedTo(uint64_t Begin, uint64_t End, Filter IsReal) const {
    return hasOneIn(Targets, Begin, End, IsReal);
  }
  /// Calls \p Do with what branches may lead to in [\p Begin, \p End), from
  /// outside of that.
  template <typename Action>
  void forEachEntry(uint64_t Begin, uint64_t End, Action Do) const {
    auto At = llvm::lower_bound(Targets, Hit{Begin, 0});
    for (; At != Targets.end() && At->Target < End; ++At)
      if (At->At < Begin || At->At >= End)
        Do(At->Target);
  }
  bool hasRecords() const { return !Records.empty(); }
  /// Whether one unwind record describes all of [\p Begin, \p End).
  bool hasRecord(uint64_t Begin, uint64_t End) const;
  /// Calls \p Do with the begin and the end of what no record describes between
  /// \p Begin and \p End.
  template <typename Action>
  void forEachGap(uint64_t Begin, uint64_t End, Action Do) const {
    for (const AddressRange &Record : Records) {
      if (Record.End <= Begin || Record.Begin >= End)
        continue;
      if (Begin < Record.Begin)
        Do(Begin, Record.Begin);
      Begin = Record.End;
    }
    if (Begin < End)
      Do(Begin, End);
  }
  /// Whether a record begins at \p Address with other rules than a function that
  /// is called: it is a part of one that has made its frame.
  bool beginsInFrame(uint64_t Address) const {
    return llvm::binary_search(InFrame, Address);
  }
  /// Whether an instruction may read or write something in [\p Begin, \p End)
  /// by a displacement from itself.
  bool isRead(uint64_t Begin, uint64_t End, Filter IsReal) const {
    return hasOneIn(Operands, Begin, End, IsReal);
  }

private:
  std::vector<Hit> Held, Distances, Targets, Operands;
  /// Of the sections with code. A segment of old linkers has data, too.
  std::vector<AddressRange> Code;
  /// What unwind records describe, by address.
  std::vector<AddressRange> Records;
  /// Where those of parts begin, sorted.
  std::vector<uint64_t> InFrame;
  /// Data whose address code takes: where tables may begin.
  std::vector<uint64_t> Bases;

  static bool hasOneIn(llvm::ArrayRef<Hit> Sorted, uint64_t Begin, uint64_t End,
                       Filter IsReal);
  void readCode(const ElfView &File, const ElfView::Section &S);
  void readNumbers(const ElfView &File, const ElfView::Section &S);
  void readDistances(const ElfView &File, const ElfView::Section &S);
  void readTable(llvm::StringRef Bytes, uint64_t Base, uint64_t End);
  void readFaultTable(llvm::StringRef Bytes, uint64_t Base, uint64_t End);
  void readLoaders(const ElfView &File, const ElfView::Section &S);
  void readHandlers(const ElfView &File);
  void readSymbols(const ElfView &File, const ElfView::Section &S);
  void readEntries(const ElfView &File);
  bool isCode(uint64_t Address) const;
  void hold(uint64_t Address, uint64_t At);
};

/// Those of the input, once noteKnownAddresses() has read them; null otherwise.
const KnownAddresses *knownAddresses();

} // namespace graupel

#endif // GRAUPEL_COPIES_KNOWNADDRESSES_H
