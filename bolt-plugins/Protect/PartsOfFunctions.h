//===- Protect/PartsOfFunctions.h - Owners of cold parts --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_PARTSOFFUNCTIONS_H
#define GRAUPEL_PROTECT_PARTSOFFUNCTIONS_H

#include "Elf/ElfView.h"
#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// A part that a compiler split off, and a function that it may be a part of.
struct PartOfFunction {
  uint64_t Part, Function;
};

struct DoubtfulParts {
  /// These parts may belong to one of several functions.
  std::vector<PartOfFunction> Ambiguous;
  /// These functions have an empty part, where the part of another one begins.
  std::vector<PartOfFunction> Empty;
};
DoubtfulParts findDoubtfulParts(const ElfView &File);

/// Keeps what findDoubtfulParts() finds in the file \p Data, for
/// relateParts().
void noteDoubtfulParts(llvm::StringRef Data);

/// Before code is read: makes each ambiguous part one of each of its functions,
/// and functions whose part is empty whole.
void relateParts(llvm::bolt::BinaryContext &BC);

} // namespace graupel

#endif // GRAUPEL_PROTECT_PARTSOFFUNCTIONS_H
