//===- Elf/RelocationsBySection.h - -z nocombreloc -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_RELOCATIONSBYSECTION_H
#define GRAUPEL_ELF_RELOCATIONSBYSECTION_H

#include "llvm/Support/MemoryBuffer.h"

namespace graupel {

/// Makes the first of the sections that together are the loader's table of
/// relocations as large as the table. Changes \p File, which has been checked,
/// in memory only.
void combineRelocations(llvm::WritableMemoryBuffer &File);

} // namespace graupel

#endif // GRAUPEL_ELF_RELOCATIONSBYSECTION_H
