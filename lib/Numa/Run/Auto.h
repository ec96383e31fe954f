//===- Numa/Run/Auto.h - Pages move while a program runs --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launcher is the daemon: it reads the program's record, puts its threads
// on nodes and moves its pages. Copies are made by the program's own runtime,
// which is told of ranges through a file.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RUN_AUTO_H
#define GRAUPEL_NUMA_RUN_AUTO_H

#include "Numa/Live/Live.h"
#include "Numa/Plan/Follow.h"
#include <sys/types.h>
#include <unordered_set>

namespace graupel::numa {

struct AutoCounts {
  uint64_t Looks = 0, Threads = 0, Moved = 0, Failed = 0, CopiedRanges = 0;
  Follower::Counts Pages;
};

/// Bytes that threads on nodes refer to, about, and what was done for them.
struct AutoShare {
  double Bytes = 0, Remote = 0;
  uint64_t Moved = 0, Copied = 0; ///< Pages.
};

struct AutoPhase : AutoShare {
  uint64_t Begin = 0, End = 0; ///< Milliseconds.
  bool Again = false;          ///< It was known.
};

class AutoPlacer {
public:
  /// `Commands`: the file for ranges that want copies; empty: nothing can.
  AutoPlacer(const Topology &T, std::string Commands)
      : T(T), Commands(std::move(Commands)), Known(unsigned(T.Nodes.size())) {}
  /// Adds the events since the last time, in a process and its record.
  void add(const Slice &S, const LiveRecord &Record, pid_t Process);
  AutoCounts counts() const;
  /// By the record's number of the object.
  const std::unordered_map<uint32_t, AutoShare> &objects() const {
    return Objects;
  }
  const std::vector<AutoPhase> &phases() const { return Phases; }
  /// Indices of nodes, by the system's number.
  const std::unordered_map<uint64_t, unsigned> &threads() const {
    return NodeOfThread;
  }

private:
  struct Use {
    uint64_t Address;
    uint32_t Object;
    unsigned Node;
    bool IsCopy;
    double Bytes;
  };
  void take(const SlicePage &P, uint64_t Thread);
  void placeThreads(pid_t Process);
  void placeTogether(const std::vector<uint64_t> &Ids, pid_t Process);
  unsigned homeOf(uint64_t Thread, pid_t Process) const;
  void run(uint64_t Thread, unsigned Node);
  void askHomes(pid_t Process);
  void share(const Slice &S);
  void movePages(pid_t Process);
  void askForCopies(const std::vector<size_t> &Wanting);

  const Topology &T;
  const std::string Commands;
  Follower Known;
  std::unordered_set<size_t> News; ///< Pages of which the last slice tells.
  AutoCounts Counts;
  std::vector<Use> Uses; ///< In the slice.
  std::unordered_map<uint32_t, AutoShare> Objects;
  std::vector<AutoPhase> Phases{1};
  unsigned Again = 0; ///< The last value in Known.counts().
  std::unordered_map<uint64_t, double> ThreadBytes; ///< By the system's number.
  std::unordered_map<uint64_t, unsigned> NodeOfThread; ///< The same.
  /// Uses by threads without a node, by the same.
  std::unordered_map<uint64_t, std::vector<SlicePage>> Unplaced;
  std::unordered_map<uint64_t, unsigned> WantsCopies; ///< Times, by page.
  std::unordered_set<uint64_t> HasCopies;             ///< The same.
  double Waiting = 0; ///< Uses since threads were looked at.
  uint64_t Last = 0;  ///< Milliseconds, of that.
};

} // namespace graupel::numa

#endif
