//===- numa/NextTouch.h - Pages follow the next thread -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_NEXTTOUCH_H
#define GRAUPEL_NUMA_NEXTTOUCH_H

#include "Kernel.h"

namespace graupel::numa {

/// Protects a range, which must be readable and writable. The first thread that
/// touches a unit moves it to its node, and unprotects it. 0 or -errno: -EACCES
/// if the range is not as it should be. The caller locks.
int watchTouches(uint64_t Start, uint64_t End, uint64_t Unit);
/// No more of that; units that wait stay where they are. The caller locks.
void forgetTouches(uint64_t Start, uint64_t End);
/// The node that the page was moved to, -1 if it waits or nobody watches it.
int nodeOfTouch(uint64_t Page);

} // namespace graupel::numa

#endif
