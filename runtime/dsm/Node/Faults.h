//===- Faults.h - From a refused access to a permitted one ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread gives the set of ranges that its code relies on; the protocol's
// fault handlers get what is missing, block by block, and the thread goes on
// when all are permitted at the same time (dsm_checks.h). It faults for many
// blocks before it waits. If others take away what was just obtained, it
// acquires one block after the other in ascending order and holds, so that
// chains of waiting ascend and end (docs/design/fgdsm.md).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_FAULTS_H
#define GRAUPEL_DSM_NODE_FAULTS_H

#include "Memory/Region.h"
#include "Node/Dispatcher.h"
#include "Trace/Trace.h"
#include "graupel/tempest.h"
#include <array>

namespace graupel::dsm {

/// A set of ranges, and where code stood that asked for it.
struct Wanted {
  const graupel_dsm_range *Ranges;
  uint64_t Count;
  uintptr_t Pc;
};

/// A refused access that the protocol has been told of.
struct Fault {
  uintptr_t Address;
  trace::Miss *Missed; ///< Null if nothing is reported.
  bool Store;
  enum : uint8_t {
    Waits,
    Granted, ///< Resumed with a tag that permitted the access,
    Refused  ///< ... or with one that did not.
  } State;
};

/// Those of a thread, in the order in which they were raised.
struct FaultList {
  std::array<Fault, TEMPEST_MAX_FAULTS> All;
  unsigned Count = 0;
  unsigned Waiting = 0; ///< Those that wait.
  unsigned Enough = 0;  ///< The thread sleeps while more than these wait.
  bool AnyRefused = false;
};

/// The action of a thread before it acquires a set: lets the protocol work, or,
/// in a loop that only waits while processors are few, rests.
enum class Turn : uint8_t { None, Poll, Rest };

class Faults {
public:
  /// `AtATime`: how many faults a thread waits for, at most TEMPEST_MAX_FAULTS.
  void attach(const TagTable &, Region &, Threads &, Dispatcher &,
              unsigned AtATime = TEMPEST_MAX_FAULTS);

  // --- The protocol's part; registered when the node starts.
  void setPageHandler(tempest_page_fault_handler H) { PageHandler = H; }
  void setBlockHandler(int Mode, tempest_tag, bool Store,
                       tempest_block_fault_handler);
  void setReleaseHandler(tempest_release_handler H) { ReleaseHandler = H; }

  /// Returns when all ranges are permitted together, with the thread online,
  /// and at once if they are.
  void acquire(ThreadRecord &, const Wanted &, Turn First);

  // --- For handlers.

  /// Threads that wait for an address in [A, A + Length) try again.
  void resume(uintptr_t A, size_t Length);
  /// Whether a thread holds the block.
  bool isHeld(uintptr_t Block) const;

private:
  /// A position in a set: all before it is permitted or has been faulted for.
  struct Position {
    uint64_t Range = 0;
    uintptr_t Address = 0;
  };
  void acquireAll(ThreadRecord &, const Wanted &, Turn First);
  bool isPermitted(const Wanted &) const;
  bool fetch(ThreadRecord &, const Wanted &, trace::SlowPath &);
  bool addFaults(ThreadRecord &, const Wanted &, Position &, trace::SlowPath &);
  bool isAskedFor(const Wanted &, uint64_t Range, uintptr_t Address) const;
  bool needsStore(const Wanted &, uintptr_t Address) const;
  void raise(ThreadRecord &, Fault &, uintptr_t Pc);
  void settle(ThreadRecord &, uintptr_t Pc, trace::SlowPath &);
  bool await(ThreadRecord &, bool More, trace::SlowPath &);
  void tellGranted(const Fault &, trace::SlowPath &) const;
  bool answer(ThreadRecord &, uintptr_t A, size_t Length);
  void hold(ThreadRecord &, const Wanted &, trace::SlowPath &);
  void report(trace::SlowPath &, const Wanted &, Turn First) const;
  uintptr_t findLowest(const Wanted &) const;
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
  unsigned AtATime = 1;

  tempest_page_fault_handler PageHandler = nullptr;
  tempest_block_fault_handler BlockHandlers[TEMPEST_MODES][4][2] = {};
  tempest_release_handler ReleaseHandler = nullptr;
  unsigned Holding = 0;
};

/// The index of a tag in the fault matrix.
inline unsigned tagIndex(uint8_t Tag) { return (Tag >> 6) | (Tag & 1); }

} // namespace graupel::dsm

#endif
