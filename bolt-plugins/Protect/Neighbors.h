//===- Protect/Neighbors.h - Data beside functions --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data among the code of an ELF file, by its symbols and relocations. Plain
// ELF; nothing here knows BOLT.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_NEIGHBORS_H
#define GRAUPEL_PROTECT_NEIGHBORS_H

#include "Elf/ElfView.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace graupel {

struct Neighbors {
  /// The ends of what symbols with a size name, by its beginning.
  llvm::DenseMap<uint64_t, uint64_t> Ends;
  /// Symbols of functions begin here.
  llvm::DenseSet<uint64_t> Functions;
  /// Symbols of data, and of nothing else, begin here.
  llvm::DenseSet<uint64_t> Data;
  /// Functions from which a relocation counts to a place outside of them.
  llvm::DenseSet<uint64_t> CountedFrom;
  /// The places that are counted to.
  llvm::DenseSet<uint64_t> CountedTo;
  /// Places in code that begin no function and that relocations lead to.
  /// Sorted.
  std::vector<uint64_t> Meant;
};

/// Collects them from \p File, which has been checked.
Neighbors findNeighbors(const ElfView &File);

/// Keeps what findNeighbors() finds in the file \p Data.
void noteNeighbors(llvm::StringRef Data);
const Neighbors &neighbors();

} // namespace graupel

#endif // GRAUPEL_PROTECT_NEIGHBORS_H
