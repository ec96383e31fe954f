//===- Cache/Caches.h - The caches of a process ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State that the threads' caches share: the last level, the transfers of lines
// between threads, and the record.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_CACHES_H
#define GRAUPEL_STRIDE_CACHE_CACHES_H

#include "Level.h"
#include "Sharing.h"

namespace graupel::stride {

class Core;

/// Counters of pairs of objects; not thread-safe, of bounded size.
class ConflictPairs {
public:
  explicit ConflictPairs(RecordFile &File) : File(File) {}
  void count(uint32_t Level, uint32_t Victim, uint32_t Evictor);

private:
  ConflictCounts *make(uint32_t Level, uint32_t Victim, uint32_t Evictor);

  RecordFile &File;
  Table<ConflictCounts> Known;
  uint32_t KnownCount = 0;
  ConflictCounts *Others[MaxCacheLevels] = {};
};

class Caches {
public:
  /// The file must stay as long as this does.
  Caches(RecordFile &File, const CachesRecord &Spec);

  /// A reference to a shared level. Thread-safe.
  bool refer(unsigned Level, uint64_t Address, uint32_t Bytes,
             const CacheCounts &For, Miss &Why);
  /// Thread-safe. `T.Begin` to `T.End` is when.
  template <class Tell> void share(Tell Each) {
    Guard G(Mutex);
    Each(*Shared);
  }
  /// A thread's caches are there. Thread-safe.
  void enter(Core *C);
  /// Whether there are several threads.
  bool hasSeveral() const {
    return CoreCount.load(std::memory_order_relaxed) > 1;
  }
  /// No thread refers to anything any more.
  void finish();

  RecordFile &File;
  const CachesRecord Spec;

private:
  Lock Mutex;
  Level *Last = nullptr; ///< The shared one.
  ConflictPairs Pairs;
  Sharing *Shared;
  std::atomic<uint32_t> CoreCount{0};
  Core *Cores = nullptr;
};

} // namespace graupel::stride

#endif
