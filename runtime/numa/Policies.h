//===- numa/Policies.h - Placement policies ------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_POLICIES_H
#define GRAUPEL_NUMA_POLICIES_H

#include "Kernel.h"
#include "Numa/Placement/Ranges.h"
#include "graupel/numa.h"
#include <mutex>

namespace graupel::numa {

/// The ranges with policies, and the lock that their users take.
std::mutex &rangesLock();
Ranges &ranges();

/// The nodes that a policy names.
Nodes maskOf(const Policy &P);

/// Checks a policy for a range of so many bytes. 0, or -errno and a message.
int convert(const graupel_numa_policy &P, uint64_t Bytes, Policy &To);

} // namespace graupel::numa

#endif
