//===- Finish/SectionOrder.h - The order of section headers -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FINISH_SECTIONORDER_H
#define GRAUPEL_FINISH_SECTIONORDER_H

#include "Elf/ElfView.h"

namespace graupel {

/// Sorts the section headers of \p Output by place in the file, as linkers do
/// and patchelf expects. References to sections by number follow. \p View reads
/// \p Output. Returns whether anything changed.
bool sortSections(const ElfView &View, llvm::MutableArrayRef<char> Output);

} // namespace graupel

#endif // GRAUPEL_FINISH_SECTIONORDER_H
