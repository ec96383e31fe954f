//===- Finish/References.h - References to a range of memory ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FINISH_REFERENCES_H
#define GRAUPEL_FINISH_REFERENCES_H

#include "Elf/ElfView.h"
#include <functional>

namespace graupel {

/// Whether the value of \p S, a symbol of the file with \p Sections, is an
/// address in memory. Maps of coverage, for one, have symbols that count from
/// the beginning of a section which is not loaded.
bool hasAddress(llvm::ArrayRef<ElfView::Section> Sections,
                const ElfView::Symbol &S);

/// The parts of a file that depend on where some of its sections are in memory,
/// other than tables that loaders read.
class References {
public:
  /// \p IsIn says whether an address is in these sections.
  References(const ElfView &File, std::function<bool(uint64_t)> IsIn)
      : File(File), IsIn(std::move(IsIn)) {}

  /// One of them in words; empty if there is none.
  std::string find() const;

private:
  const ElfView &File;
  std::function<bool(uint64_t)> IsIn;

  uint64_t targetFlags(const ElfView::Section &Table) const;
  bool isAppliedThere(const ElfView::Section &Table) const;
  bool leadsThere(const ElfView::Section &Table) const;
  bool hasDistance(const ElfView::Section &Table) const;
  bool hasName(const ElfView::Section &Table) const;
  bool isNumber(const ElfView::Symbol &S) const;
};

} // namespace graupel

#endif // GRAUPEL_FINISH_REFERENCES_H
