//===- stride/Pending.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingCount.h"

namespace graupel::stride {

__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"),
               min_vector_width(512))) void
countPending(const Counting &C, Stream &S, DirtyShares &Dirty) {
  countPendingHere(C, S, Dirty);
}

} // namespace graupel::stride
