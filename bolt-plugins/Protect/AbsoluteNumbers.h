//===- Protect/AbsoluteNumbers.h - Symbols, not addresses -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assemblers and linkers write constants as symbols without a section ("equ",
// --defsym). By chance such a number is an address in the code, and BOLT would
// change the number where the code moves, or take the middle of a function for
// the target of a branch.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_ABSOLUTENUMBERS_H
#define GRAUPEL_PROTECT_ABSOLUTENUMBERS_H

#include "Verify/ElfView.h"
#include "llvm/ADT/ArrayRef.h"

namespace graupel {

/// Whether \p R puts the number \p S into the file, and not a distance to it.
bool isOfNumber(const ElfView::Rela &R, const ElfView::Symbol &S);

/// Has the linker's relocations of numbers that lead into code do nothing, in
/// the file with the content \p File, which has been checked.
void forgetAbsoluteNumbers(llvm::MutableArrayRef<char> File);

} // namespace graupel

#endif // GRAUPEL_PROTECT_ABSOLUTENUMBERS_H
