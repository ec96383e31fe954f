//===- numa/Run/Data.h - Variables with copies ---------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_DATA_H
#define GRAUPEL_NUMA_DATA_H

#include "graupel/numa.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace graupel::numa {

/// Has these variables, from first byte to end, read from copies once there are
/// some. Before any thread but the first, and before code that was compiled to
/// read copies; once. False: nothing has changed, and dataComplaint tells why, or
/// nothing if there is one node.
bool convertData(const std::vector<std::pair<uint64_t, uint64_t>> &Variables);
const char *dataComplaint();

/// Makes copies of memory that is not written any more. Called by one thread.
void copyData();

/// The part of a variable that has copies; writes are counted for all
/// variables.
graupel_numa_replica_counts copiesOfData(uint64_t Start, uint64_t End);

} // namespace graupel::numa

#endif
