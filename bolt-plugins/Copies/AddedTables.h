//===- Copies/AddedTables.h - A table of relocations ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_ADDEDTABLES_H
#define GRAUPEL_COPIES_ADDEDTABLES_H

#include "Elf/ElfView.h"
#include "llvm/Support/MemoryBuffer.h"

namespace graupel {

/// A copy of \p File with an empty .rela.text, by which BOLT decides that new
/// code may be anywhere. Relocations that the linker left are emptied.
std::unique_ptr<llvm::MemoryBuffer>
withoutAppliedRelocations(std::unique_ptr<llvm::MemoryBuffer> File);

} // namespace graupel

#endif // GRAUPEL_COPIES_ADDEDTABLES_H
