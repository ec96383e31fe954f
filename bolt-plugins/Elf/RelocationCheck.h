//===- Elf/RelocationCheck.h - Checks applied relocations -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_RELOCATIONCHECK_H
#define GRAUPEL_ELF_RELOCATIONCHECK_H

#include "ElfView.h"

namespace graupel {

/// Checks that the relocations that --emit-relocs kept are those whose results
/// are in \p File: the program runs without them, but BOLT moves code by them.
/// Only of kinds that linkers apply as they are, for x86-64. \p File must have
/// a sound structure.
llvm::Error checkAppliedRelocations(const ElfView &File);

} // namespace graupel

#endif // GRAUPEL_ELF_RELOCATIONCHECK_H
