//===- numa/Replicas.h - Memory with copies, at a place ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RUNTIME_REPLICAS_H
#define GRAUPEL_NUMA_RUNTIME_REPLICAS_H

#include "graupel/numa.h"

namespace graupel::numa {

/// As graupel_numa_replicas_new. The writable mapping replaces the memory at
/// `Where`; the view of the node with index N replaces the memory N + 1 times
/// `Distance` behind it.
graupel_numa_replicas *newReplicas(size_t Bytes, char *Where, size_t Distance);

/// The same of memory that is there: its contents stay, as long as nobody else
/// writes to it now. Nothing has copies before allowCopiesIn.
graupel_numa_replicas *convertToReplicas(char *Where, size_t Bytes,
                                         size_t Distance);
/// Allows copies of units that are entirely in the range.
void allowCopiesIn(graupel_numa_replicas *R, const void *Memory, size_t Bytes);

/// As graupel_numa_replicas_count, for units that are partly in that range, but
/// of all writes.
graupel_numa_replica_counts copiesIn(const graupel_numa_replicas *R,
                                     const void *Memory, size_t Bytes);

/// Handlers of forks, which otherwise come with the first replicas. Those that
/// are there later run earlier before a fork.
void watchForks();

/// Whether it may be time for copies: there is something, nobody has filled new
/// pages or written to copies since the last call, and not all of it has
/// copies. `Present` is for the next call, 0 at first.
bool isStill(graupel_numa_replicas *R, size_t &Present);

/// The kernel's stores to protected memory are errors, not faults. Whether some
/// of that may be protected; cheap.
bool mayHaveCopies(const void *Memory, size_t Bytes);
/// It has no copies until as many calls of allowCopies.
void endCopies(const void *Memory, size_t Bytes);
void allowCopies(const void *Memory, size_t Bytes);

} // namespace graupel::numa

#endif
