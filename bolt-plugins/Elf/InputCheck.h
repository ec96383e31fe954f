//===- Elf/InputCheck.h - Whether an ELF file is sound -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT believes its input, and crashes over a damaged one. Most damage is found
// here, in milliseconds, and can be named. Nothing a linker makes is refused.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_INPUTCHECK_H
#define GRAUPEL_ELF_INPUTCHECK_H

#include "ElfView.h"

namespace graupel {

/// Checks the tables of \p File against each other: bounds and overlaps of
/// segments and sections, symbols, relocations, strings, the dynamic section,
/// notes and unwind information.
llvm::Error checkStructure(const ElfView &File);

/// The same for the bytes of a file, that they are one, that compilers and
/// linkers may have made it, and that its relocations are those the linker
/// applied.
llvm::Error checkElf(llvm::StringRef Data);

} // namespace graupel

#endif // GRAUPEL_ELF_INPUTCHECK_H
