//===- Elf/UnsupportedInput.h - Sound, but not for us --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ELF_UNSUPPORTEDINPUT_H
#define GRAUPEL_ELF_UNSUPPORTEDINPUT_H

#include "ElfView.h"

namespace graupel {

/// Names what \p File has that is right but that BOLT cannot rewrite, so that
/// nobody takes the file for damaged. Only for inputs.
llvm::Error checkSupported(const ElfView &File);

/// Refuses \p File, which need not be sound, if clang put blocks into sections
/// of their own and it has exception tables.
llvm::Error checkBlockSections(const ElfView &File);

/// Refuses \p File, which need not be sound, if it has relocations in LLVM's
/// format CREL, whose sections are of a type that ELF does not define.
llvm::Error checkCompactRelocations(const ElfView &File);

} // namespace graupel

#endif // GRAUPEL_ELF_UNSUPPORTEDINPUT_H
