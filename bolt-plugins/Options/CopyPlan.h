//===- Options/CopyPlan.h - Copies beside the original ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_OPTIONS_COPYPLAN_H
#define GRAUPEL_OPTIONS_COPYPLAN_H

#include "llvm/ADT/StringRef.h"

namespace graupel {

/// Decides once whether functions are copied instead of moved. \p HasRelocations:
/// the linker's relocations are in the input. Call it before makesCopies().
void decideCopies(bool HasRelocations);

/// The name of an option that was given and does not go with copies; empty if
/// there is none.
llvm::StringRef optionAgainstCopies();

/// Whether -copies=never was given.
bool refusesCopies();

/// True if the original code stays, and optimized copies are put beside it.
bool makesCopies();

/// Whether functions are copied also if the jump to the copy costs what it gains.
bool makesGainlessCopies();

} // namespace graupel

#endif // GRAUPEL_OPTIONS_COPYPLAN_H
