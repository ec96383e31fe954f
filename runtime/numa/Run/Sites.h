//===- numa/Run/Sites.h - A placement file in this process ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_SITES_H
#define GRAUPEL_NUMA_SITES_H

#include "Arena.h"

namespace graupel::numa {

/// Applies $GRAUPEL_NUMA_PLACEMENT: statements with resolved places. Reports
/// impossible ones on standard error; the program runs anyway.
void applyPlacement();

/// The arena for a block of so many bytes that code at this address asks for,
/// or null. Allocates nothing.
Arena *arenaFor(const void *Caller, size_t Bytes);

/// Puts the calling thread, which is the program's thread of that number, where
/// the placement file says.
void placeThread(unsigned Number);

/// Whether anything is to have copies: somebody has to call Arena::replicate.
bool wantsCopies();

/// Whether a statement has that memory wait for its next touch, now or later.
/// Cheap if there is no such statement.
bool mayWaitForTouch(const void *Memory);

/// Checks the nodes of all memory now. Reports errors, and with
/// $GRAUPEL_NUMA_REPORT successes, too.
void reportPlacement();

/// So that a child can use the arenas.
void lockArenas();
void unlockArenas();

} // namespace graupel::numa

#endif
