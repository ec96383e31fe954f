//===- Numa/Auto.h - Pages move while a program runs ---------- -*- C++ -*-===//
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

#ifndef GRAUPEL_TOOLS_NUMA_AUTO_H
#define GRAUPEL_TOOLS_NUMA_AUTO_H

#include "Live.h"
#include "Numa/Topology/Topology.h"
#include <sys/types.h>
#include <unordered_map>

namespace graupel::numa {

struct AutoCounts {
  unsigned Plans = 0;
  uint64_t Threads = 0, Moved = 0, Failed = 0, CopiedRanges = 0;
};

class AutoPlacer {
public:
  /// `Commands`: the file for ranges that want copies; empty: nothing can.
  AutoPlacer(const Topology &T, std::string Commands)
      : T(T), Commands(std::move(Commands)) {}
  /// What has happened since the last time, in a process and its record.
  void add(const Slice &S, const LiveRecord &Record, pid_t Process);

  AutoCounts Counts;

private:
  struct Page {
    std::unordered_map<uint64_t, std::pair<double, double>> By; ///< By thread.
    unsigned Moves = 0, WantsCopies = 0;
    bool HasCopies = false;
  };
  void placeThreads();
  void placeTogether(const std::vector<uint64_t> &Ids);
  void run(uint64_t Thread, unsigned Node);
  void movePages(pid_t Process);
  void askForCopies(const std::vector<uint64_t> &Addresses);
  void forget();

  const Topology &T;
  const std::string Commands;
  std::unordered_map<uint64_t, Page> Pages;         ///< By address.
  std::unordered_map<uint64_t, double> ThreadBytes; ///< By the system's number.
  std::unordered_map<uint64_t, unsigned> NodeOfThread; ///< The same.
  double Waiting = 0; ///< Uses since the last plan.
  uint64_t Last = 0;  ///< Milliseconds, of the last plan.
};

} // namespace graupel::numa

#endif
