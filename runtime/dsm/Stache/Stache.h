//===- Stache/Stache.h - The default coherence protocol --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the runtime's core calls. Everything else that happens
// between the two goes through graupel/tempest.h.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_STACHE_STACHE_H
#define GRAUPEL_DSM_STACHE_STACHE_H

#include <cstdint>

/// Counts of a node's events. Requests count where they are sent.
struct graupel_dsm_stache_counts {
  uint64_t LoadFaults, StoreFaults; ///< Those that had to wait for other nodes.
  uint64_t GetRO, GetRW, Upgrades;
  uint64_t InvalidateRO, InvalidateRW, Downgrades;
  uint64_t Deferred; ///< Requests that waited for another's transaction.
  uint64_t Stalled;  ///< Events that waited for a thread's release.
  uint64_t Elected;  ///< First-touch pages that this node became the home of.
};

extern "C" {
/// Once a node, before any fault: registers all handlers.
void graupel_dsm_stache_start(void);

/// Once a node, each time: after the main threads of all nodes have arrived in
/// gdsm_parallel, and before a thread of this node runs the function. Atomic
/// with handlers (the caller has the protocol lock). From here on first-touch
/// pages are elected homes for. No other thread may be accessing memory with
/// first-touch homes meanwhile.
void graupel_dsm_stache_parallel_begins(void);

/// The counterpart: after all threads of all nodes have returned from the
/// function, and before gdsm_parallel returns on this node. The same rules.
void graupel_dsm_stache_parallel_ends(void);

/// This node's counts; they go on changing.
const graupel_dsm_stache_counts *graupel_dsm_stache_statistics(void);
}

#endif
