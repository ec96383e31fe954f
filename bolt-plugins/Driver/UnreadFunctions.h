//===- Driver/UnreadFunctions.h - Why BOLT skips functions ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT ignores functions at several steps while it reads the program, and keeps
// no reason. The step is watched here; the code itself says the rest.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_UNREADFUNCTIONS_H
#define GRAUPEL_DRIVER_UNREADFUNCTIONS_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include <string>

namespace graupel {

/// BOLT is about to read the first function of \p BC, or has begun to.
void watchReading(llvm::bolt::BinaryContext &BC);

/// BOLT has read the functions of \p BC and is about to judge the branches
/// between them. Call \p Judge for that.
void watchBranches(llvm::bolt::BinaryContext &BC,
                   llvm::function_ref<void()> Judge);

/// True if \p BF was ignored before it was read: options chose others.
bool isNotChosen(const llvm::bolt::BinaryFunction &BF);

/// True if BOLT tried to read \p BF and gave up.
bool isUnread(const llvm::bolt::BinaryFunction &BF);

/// Why \p BF was not read or not understood; empty if that is not known.
/// Completes "NAME: ...".
std::string whyUnread(const llvm::bolt::BinaryFunction &BF);

/// Whether the compiler has split \p BF, or it is a part of what was.
inline bool isInParts(const llvm::bolt::BinaryFunction &BF) {
  return BF.isFragment() || !BF.getFragments().empty();
}

/// The name of \p BF for messages.
std::string shortName(const llvm::bolt::BinaryFunction &BF);

} // namespace graupel

#endif // GRAUPEL_DRIVER_UNREADFUNCTIONS_H
