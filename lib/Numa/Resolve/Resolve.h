//===- Numa/Resolve/Resolve.h - Names become addresses ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RESOLVE_RESOLVE_H
#define GRAUPEL_NUMA_RESOLVE_RESOLVE_H

#include "Numa/PlacementFile/Statements.h"

namespace graupel::numa {

/// Looks up the places of statements in a program's file: "main.c:31" is the
/// code of that line, also where it was inlined; "make_grid" the code of that
/// function, or for variables that variable. Returns an error, or nothing.
std::optional<std::string> resolvePlaces(const std::string &Program,
                                         std::vector<Statement> &Statements);

/// The statements' file with names replaced by addresses: each line that has one
/// is written anew, so that line numbers stay.
std::string resolvedText(const std::vector<Statement> &Statements);

/// Whether a program, or one that cannot be read, was compiled to read copies of
/// replicated memory.
bool readsCopies(const std::string &Program);

} // namespace graupel::numa

#endif
