//===- Verify/RecordedCode.h - Files without a symbol table -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of a file without a symbol table are those of the loader's
// symbols and of the unwind records; nothing else was known to the optimizer.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_RECORDEDCODE_H
#define GRAUPEL_VERIFY_RECORDEDCODE_H

#include "SymbolMap.h"

namespace graupel {

/// Checks that what is in no function of \p Input, which has no symbol table,
/// and is no padding is where and as it was in \p Output.
llvm::Error checkGaps(const ElfView &Input, const ElfView &Output,
                      const SymbolMap &Functions);

} // namespace graupel

#endif // GRAUPEL_VERIFY_RECORDEDCODE_H
