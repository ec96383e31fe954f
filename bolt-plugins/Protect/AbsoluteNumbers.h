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
// the target of a branch, or for the end of that function.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_ABSOLUTENUMBERS_H
#define GRAUPEL_PROTECT_ABSOLUTENUMBERS_H

#include "Elf/ElfView.h"
#include "llvm/ADT/ArrayRef.h"

namespace graupel {

/// Whether \p R puts the number \p S into the file, and not a distance to it.
bool isOfNumber(const ElfView::Rela &R, const ElfView::Symbol &S);

/// Changes the file with the content \p Bytes, which has been checked, so that
/// BOLT does not take its numbers for addresses in code. Returns the bits by
/// which the values of such symbols differ from theirs; 0 if there are none.
uint64_t forgetAbsoluteNumbers(llvm::MutableArrayRef<char> Bytes);

} // namespace graupel

#endif // GRAUPEL_PROTECT_ABSOLUTENUMBERS_H
