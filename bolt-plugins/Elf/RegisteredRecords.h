//===- Elf/RegisteredRecords.h - Code that registers .eh_frame --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_REGISTEREDRECORDS_H
#define GRAUPEL_ELF_REGISTEREDRECORDS_H

#include "ElfView.h"

namespace graupel {

/// The addresses at which the records of \p S (.eh_frame) begin, but for the
/// end mark: an address there is that of the section behind, too.
std::vector<uint64_t> recordsIn(const ElfView &File, const ElfView::Section &S);

/// True if \p File, which may have no symbols, seems to pass the address of one
/// of \p Records, which are sorted, to the unwinder. Such records are searched
/// before any index of .eh_frame_hdr.
bool registersOneOf(const ElfView &File, llvm::ArrayRef<uint64_t> Records);

} // namespace graupel

#endif // GRAUPEL_ELF_REGISTEREDRECORDS_H
