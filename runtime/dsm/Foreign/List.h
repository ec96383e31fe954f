//===- List.h - All calls that may leave checked code -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_LIST_H
#define GRAUPEL_DSM_FOREIGN_LIST_H

namespace graupel::dsm {

/// If GRAUPEL_DSM_LIST_CALLS is set (by `graupel dsm check`): prints the calls
/// of code without checks that may pass shared memory, of the program and the
/// libraries that it starts with, and ends the process: with status 1 if there
/// are any. All objects have to be relocated.
void listCallsIfAsked();

/// Prints which functions of the program and its own libraries have no checks,
/// as nothing is seen of shared memory that they find by themselves.
void noteUncheckedFunctions();

/// Ends the job if a call starts threads with a function without checks.
void refuseUncheckedThreads();

} // namespace graupel::dsm

#endif
