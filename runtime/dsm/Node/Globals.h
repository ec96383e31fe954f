//===- Globals.h - Shared globals of the program ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_GLOBALS_H
#define GRAUPEL_DSM_NODE_GLOBALS_H

#include "Memory/Region.h"
#include "graupel/dsm_checks.h"
#include <string>
#include <vector>

namespace graupel::dsm {

/// Reads the tables of what is loaded, once, before the job begins. Ends the
/// process with a message if they cannot be right together.
void collectGlobals();

/// Equal on nodes that have the same globals at the same addresses; empty if
/// there are none.
std::string fingerprintOfGlobals();

/// The pages of all.
std::vector<GlobalRun> runsOfGlobals();

/// The variable that has the byte at an address, or null.
const graupel_dsm_global *globalAround(uintptr_t);

/// For messages: the variable, and where it is defined.
std::string nameGlobal(uintptr_t);

} // namespace graupel::dsm

#endif
