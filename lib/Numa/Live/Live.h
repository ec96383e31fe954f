//===- Numa/Live/Live.h - Traffic while a program runs ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the counters of a record that is being written: what they have counted
// since the last time.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_LIVE_LIVE_H
#define GRAUPEL_NUMA_LIVE_LIVE_H

#include "graupel/stride_pages.h"
#include <map>
#include <string>
#include <vector>

namespace graupel::numa {

/// Bytes, of one thread in one page. Numbers are the record's.
struct SlicePage {
  uint32_t Object, Thread;
  uint64_t Address;
  uint64_t Loads, Stores;
};

/// The references in a time slice.
struct Slice {
  uint64_t Begin = 0, End = 0; ///< Milliseconds since the first look.
  std::vector<SlicePage> Pages;
  std::map<uint32_t, uint64_t> Sites; ///< References.
  void add(const Slice &Later);
};

class LiveRecord {
public:
  ~LiveRecord();
  /// The program may not have made it yet: then look() finds nothing.
  void open(const std::string &Path) { Name = Path; }
  /// Returns the counts since the last time.
  Slice look();
  /// The system's numbers of threads, by the record's.
  const std::vector<stride::ThreadRecord> &threads() const { return Threads; }
  const std::vector<stride::ObjectKind> &objects() const { return Objects; }

private:
  struct Span {
    uint64_t At; ///< Offset of the payload in the file.
    uint32_t Thread;
    std::vector<std::pair<uint64_t, uint64_t>> Before; ///< Loads, stores.
  };
  struct Part {
    uint32_t Thread;
    uint64_t At;
    uint64_t Before = 0; ///< References in its bursts.
    unsigned Still = 0;  ///< Number of looks that have found no more.
  };
  struct Share {
    uint64_t At, Before;
  };
  bool map();
  void findChunks();
  void enter(uint64_t At, const stride::ChunkHeader &C);

  std::string Name;
  int File = -1;
  const char *Data = nullptr;
  uint64_t Mapped = 0, Next = stride::HeaderBytes, Start = 0, Last = 0;
  std::vector<uint64_t> Uncommitted;
  std::vector<Span> Spans;
  std::vector<Share> Shares;
  std::vector<Part> Parts; ///< One for each sampled thread.
  std::vector<double> weights() const;
  std::vector<bool> findStill();
  std::vector<stride::ThreadRecord> Threads;
  std::vector<stride::ObjectKind> Objects;
};

} // namespace graupel::numa

#endif
