//===- numa/Run/Copies.h - Making and reading copies ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_COPIES_OF_SITES_H
#define GRAUPEL_NUMA_COPIES_OF_SITES_H

namespace graupel::numa {

/// Starts a thread of this library's own, which makes copies of memory that is
/// not written any more; the program does not see it.
void startCopying();

/// Makes the calling thread's loads read the copies of the node that it is on.
void readNearCopies();

/// So that a child's threads can.
void lockReaders();
void unlockReaders();

} // namespace graupel::numa

#endif
