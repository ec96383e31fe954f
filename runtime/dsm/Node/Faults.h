//===- Faults.h - From a refused access to a permitted one ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread gives the set of ranges that its code relies on; the protocol's
// fault handlers get what is missing, one address after the other, and the
// thread goes on when all are permitted at the same time (dsm_checks.h). If
// others take away what was just obtained, the thread acquires in ascending
// order and holds, so that chains of waiting ascend and end
// (docs/design/fgdsm.md).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_FAULTS_H
#define GRAUPEL_DSM_NODE_FAULTS_H

#include "Memory/Region.h"
#include "Node/Dispatcher.h"
#include "Trace/Trace.h"
#include "graupel/tempest.h"

namespace graupel::dsm {

/// A set of ranges, and where code stood that asked for it.
struct Wanted {
  const graupel_dsm_range *Ranges;
  uint64_t Count;
  uintptr_t Pc;
};

class Faults {
public:
  void attach(const TagTable &, Region &, Threads &, Dispatcher &);

  // --- The protocol's part; registered when the node starts.
  void setPageHandler(tempest_page_fault_handler H) { PageHandler = H; }
  void setBlockHandler(int Mode, tempest_tag, bool Store,
                       tempest_block_fault_handler);
  void setReleaseHandler(tempest_release_handler H) { ReleaseHandler = H; }

  /// Returns when all ranges are permitted together, with the thread online,
  /// and at once if they are. `Poll`: lets the protocol work first.
  void acquire(ThreadRecord &, const Wanted &, bool Poll);

  // --- For handlers.

  /// Threads that wait for an address in [A, A + Length) try again.
  void resume(uintptr_t A, size_t Length);
  /// Whether a thread holds the block.
  bool isHeld(uintptr_t Block) const;

private:
  struct Refusal {
    uintptr_t Address = NoAddress;
    uint64_t Range = 0;
  };
  Refusal find(const Wanted &) const;
  bool isRefused(const Wanted &, const Refusal &) const;
  void raise(ThreadRecord &, uintptr_t Address, bool Store, uintptr_t Pc);
  bool fetch(ThreadRecord &, uintptr_t Pc, uintptr_t Address, bool Store,
             trace::SlowPath &);
  bool awaitResume(ThreadRecord &);
  void hold(ThreadRecord &, const Wanted &, trace::SlowPath &);
  void report(trace::SlowPath &, const Wanted &, bool Poll) const;
  bool findLowest(const Wanted &, uintptr_t &Address, bool &Store) const;
  uintptr_t blockOf(uintptr_t A) const {
    return A & -uintptr_t(Shared->chunk(A).Block);
  }
  uintptr_t blockEnd(uintptr_t A) const {
    uintptr_t Block = Shared->chunk(A).Block;
    return (A & -Block) + Block;
  }

  const TagTable *Tags = nullptr;
  Region *Shared = nullptr;
  Threads *Team = nullptr;
  Dispatcher *Dispatch = nullptr;

  tempest_page_fault_handler PageHandler = nullptr;
  tempest_block_fault_handler BlockHandlers[TEMPEST_MODES][4][2] = {};
  tempest_release_handler ReleaseHandler = nullptr;
  unsigned Holding = 0;
};

/// Of the tags in the fault matrix.
inline unsigned tagIndex(uint8_t Tag) { return (Tag >> 6) | (Tag & 1); }

} // namespace graupel::dsm

#endif
