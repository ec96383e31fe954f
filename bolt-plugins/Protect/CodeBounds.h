//===- Protect/CodeBounds.h - Code between two symbols ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may ask whether code is in some range: the section between
// __start_NAME and __stop_NAME, or what is between two labels of assembly or of
// a linker script. Plain ELF; nothing here knows BOLT.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROTECT_CODEBOUNDS_H
#define GRAUPEL_PROTECT_CODEBOUNDS_H

#include "Elf/ElfView.h"
#include <vector>

namespace graupel {

struct CodeRange {
  uint64_t Begin;
  uint64_t End; ///< Has an end there that must not move either.
};

/// The ranges of code in \p File, which has been checked, whose bounds the
/// program may ask for.
std::vector<CodeRange> findCodeRanges(const ElfView &File);

/// Whether the program may compare addresses with etext, the end of all code.
bool asksForTextEnd(const ElfView &File);

/// Keeps what findCodeRanges() finds in the file \p Data, for
/// decideProtected().
void noteCodeRanges(llvm::StringRef Data);
const std::vector<CodeRange> &codeRanges();

} // namespace graupel

#endif // GRAUPEL_PROTECT_CODEBOUNDS_H
