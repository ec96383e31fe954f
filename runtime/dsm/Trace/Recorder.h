//===- Recorder.h - A node's events for the report --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts the events that Trace.h tells of into tables of bounded size. A miss:
// begins; its block may arrive (then its cause is known); ends. Any thread may
// call anything at any time; a lock of its own keeps the tables whole. Knows
// addresses and times, nothing of tags, messages' meaning, or files.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_RECORDER_H
#define GRAUPEL_DSM_TRACE_RECORDER_H

#include "Base/Histogram.h"
#include "Trace/Bounded.h"
#include "Trace/CallPath.h"
#include "Trace/Comparison.h"
#include "Trace/MissLog.h"
#include "Trace/OldContents.h"
#include <map>
#include <mutex>
#include <vector>

namespace graupel::dsm::trace {

/// A miss that is being resolved. Lives where the thread waits.
struct Miss {
  const graupel_dsm_range *Ranges;
  uint64_t Count;
  uintptr_t Pc;
  uintptr_t Block;
  uint32_t Size;
  bool Store;
  Cause Why;
  bool Arrived;
  bool Alone; ///< No other miss of the access was under way when it began.
  uint32_t ApartAt;
  Miss *Next;
};

struct Limits {
  size_t Entries = size_t(1) << 17;     ///< For each table and size of units.
  size_t Allocations = size_t(1) << 16; ///< And places in code.
  size_t OldBytes = size_t(64) << 20;
  size_t Events = size_t(1) << 17;
};

class Recorder {
public:
  explicit Recorder(const Limits &L = {})
      : Bound(L), Old(L.OldBytes), Misses(L.Entries), Blocks(L.Entries),
        Log(L.Events) {}

  // --- Allocations.

  void allocated(uintptr_t Address, size_t Bytes, uint32_t Block, int Home,
                 uintptr_t Pc, const CallPath &Callers = {});
  /// Whether another allocation would be remembered.
  bool hasRoom() {
    std::lock_guard Guard(Mutex);
    return Allocations.size() < Bound.Allocations;
  }

  // --- Blocks of this node.

  /// Its contents are about to go. Without meaning if it has none.
  void leaves(uintptr_t Block, uint32_t Size, const void *Data);
  /// New contents are about to be there.
  void arrives(uintptr_t Block, uint32_t Size, const void *Data);

  // --- Misses. Readable: the node has the block, for loads.

  void begin(Miss &, bool Readable);
  /// It was none if access is not Permitted and no data came; returns false.
  /// Ticks: what it took; Now: when it was over.
  bool end(Miss &, int Home, bool Permitted, uint64_t Ticks, uint64_t Now);
  /// An access that found its data valid in the slow path. A `Size` of 0:
  /// memory that is not shared.
  void noMiss(uintptr_t Pc, Cause, uintptr_t Block, uint32_t Size, bool Store,
              uint64_t Ticks);

  // --- Barriers.

  /// The node has passed one, which may be the one that begins gdsm_parallel.
  void barrier(bool BeginsParallel) {
    std::lock_guard Guard(Mutex);
    ++Epoch;
    if (BeginsParallel && !FirstParallel)
      FirstParallel = Epoch;
  }

  // --- Messages, by what Trace.h numbers.

  void sent(int To, unsigned Handler, size_t Bytes) {
    std::lock_guard Guard(Mutex);
    MessageCount &C = Messages[{Handler, To}];
    ++C.Count;
    C.Bytes += Bytes;
  }

  // --- The recorded events. The caller keeps the lock that freeze() returns.

  std::unique_lock<std::mutex> freeze() {
    return std::unique_lock<std::mutex>(Mutex);
  }

  struct Allocation {
    uintptr_t Address;
    size_t Bytes;
    uint32_t Block;
    int Home;
    uint32_t Place;
    std::array<uint32_t, std::tuple_size_v<CallPath>> Callers; ///< 0: none.
  };
  struct MissKind {
    uint32_t Place;
    bool Store;
    Cause Why;
    bool operator==(const MissKind &) const = default;
    size_t hash() const { return Place * 16u + Store * 8u + size_t(Why); }
  };
  struct MissCount {
    uint64_t Count = 0, Ticks = 0;
    int Home = -1; ///< The last one's.
  };
  struct NoDetail {
    bool operator==(const NoDetail &) const = default;
    size_t hash() const { return 0; }
  };
  struct BlockCount {
    uint64_t Lost = 0;
    /// False sharing that blocks of 32, 64, ... 2048 bytes would have avoided
    /// and larger ones not.
    uint64_t ApartAt[7] = {};
    /// Misses right after the same thread's miss of the next block on either
    /// side.
    uint64_t Sequential = 0;
  };
  struct MessageCount {
    uint64_t Count = 0, Bytes = 0;
  };
  struct LeftOut {
    uint64_t Misses = 0, Blocks = 0, Allocations = 0, Places = 0;
  };

  std::vector<uintptr_t> places() const;
  const std::vector<Allocation> &allocations() const { return Allocations; }
  const Bounded<MissKind, MissCount> &misses() const { return Misses; }
  const Bounded<NoDetail, BlockCount> &blocks() const { return Blocks; }
  const auto &times() const { return Times; }
  const auto &messages() const { return Messages; }
  const LeftOut &leftOut() const { return Missing; }
  const MissLog &log() const { return Log; }
  /// The epoch that the first gdsm_parallel began; 0: there was none.
  uint32_t firstParallel() const { return FirstParallel; }

private:
  struct KindHash {
    size_t operator()(const MissKind &K) const { return K.hash(); }
  };

  uint32_t place(uintptr_t Pc);
  void count(const MissKind &, Unit, int Home, uint64_t Ticks);
  void countBlock(const Miss &);
  void logMiss(const Miss &, uint32_t Place, int Home, uint64_t Now);

  const Limits Bound;
  std::mutex Mutex;
  OldContents Old;
  Miss *Pending = nullptr;
  std::unordered_map<uintptr_t, uint32_t> Places; ///< Numbers, from 1.
  std::vector<Allocation> Allocations;
  Bounded<MissKind, MissCount> Misses;
  Bounded<NoDetail, BlockCount> Blocks;
  MissLog Log;
  uint32_t Epoch = 0, FirstParallel = 0;
  std::unordered_map<MissKind, Histogram, KindHash> Times;
  std::map<std::pair<unsigned, int>, MessageCount> Messages;
  LeftOut Missing;
};

} // namespace graupel::dsm::trace

#endif
