//===- Protect/DataWords.h - Words of data that may lead to code *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file without the linker's relocations does not say which words of its data
// are addresses. Each word that could be one counts as one. Plain ELF.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_DATAWORDS_H
#define GRAUPEL_PROTECT_DATAWORDS_H

#include "Elf/ElfView.h"
#include <vector>

namespace graupel {

/// A word at \p At that leads to \p Target, which is in code.
struct DataWord {
  uint64_t At, Target;
};

/// Whether the linker left the relocations that it applied to something that is
/// loaded (--emit-relocs).
bool hasAppliedRelocations(const ElfView &File);

/// The words that the packed relocations of \p S (.relr.dyn) make addresses.
std::vector<DataWord> packedAddresses(const ElfView &File,
                                      const ElfView::Section &S);

/// Whether \p S is data and not a table that linkers make and others read.
bool holdsWords(const ElfView &File, const ElfView::Section &S);

/// The words of \p S that are addresses of code where the program is linked to
/// a fixed address. Elsewhere the loader's relocations name all of them.
std::vector<DataWord> addressesIn(const ElfView &File,
                                  const ElfView::Section &S);

/// Words that may be an operand in \p S, which is code of such a program, and
/// the address of a place in the same section.
std::vector<DataWord> operandsIn(const ElfView &File,
                                 const ElfView::Section &S);

/// The words of \p S that, counted from themselves, lead to code.
std::vector<DataWord> distancesIn(const ElfView &File,
                                  const ElfView::Section &S);

} // namespace graupel

#endif // GRAUPEL_PROTECT_DATAWORDS_H
