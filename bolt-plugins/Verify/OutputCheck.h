//===- Verify/OutputCheck.h - Whether an output can be right ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_OUTPUTCHECK_H
#define GRAUPEL_VERIFY_OUTPUTCHECK_H

#include "CodeMap.h"

namespace graupel {

/// Counts of what was checked.
struct Verified {
  uint64_t Functions = 0, Branches = 0, Symbols = 0, Relocations = 0,
           Frames = 0, CallSites = 0, Instructions = 0, Different = 0,
           Recordings = 0;
};

/// Checks what can be known of an output of BOLT without running it: the tables
/// of \p Output, and that its code and data lead to code that is there.
/// \p Input is the file it was made from.
llvm::Expected<Verified> verifyOutput(const ElfView &Input,
                                      const ElfView &Output);

/// The part of it about .eh_frame, .eh_frame_hdr and exception tables.
llvm::Error verifyUnwinding(const ElfView &Input, const ElfView &Output,
                            const SymbolMap &Symbols, const CodeMap &Code,
                            Verified &Count);

} // namespace graupel

#endif // GRAUPEL_VERIFY_OUTPUTCHECK_H
