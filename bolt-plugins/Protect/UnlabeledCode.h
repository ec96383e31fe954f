//===- Protect/UnlabeledCode.h - Code before all symbols -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT looks for the function of each relocation in code. Code without a label
// counts as a part of the function before it. Where there is none, as in a
// section of assembly that other code jumps to (.fixup, abort handlers of
// librseq), BOLT finds no function.
//
// 1. The code of a section before its first symbol is found. Only code with a
//    relocation counts.
// 2. Driver/FunctionNames.cpp makes functions of it, which stay.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_UNLABELEDCODE_H
#define GRAUPEL_PROTECT_UNLABELEDCODE_H

#include "Elf/ElfView.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

/// Finds the unlabeled code of the file \p Data, and keeps its ends by its
/// beginnings.
void noteUnlabeledCode(llvm::StringRef Data);
const llvm::DenseMap<uint64_t, uint64_t> &unlabeledCode();

} // namespace graupel

#endif // GRAUPEL_PROTECT_UNLABELEDCODE_H
