//===- Numa/Profile/Sampler.h - Traffic of a running program ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PROFILE_SAMPLER_H
#define GRAUPEL_NUMA_PROFILE_SAMPLER_H

#include "Recorded.h"
#include <functional>
#include <sys/types.h>

namespace graupel::numa {

/// Has a program that is started next write a record into a folder of its own,
/// and looks at it while the program runs.
class Sampler {
public:
  /// Interval between looks for a profile; the least one for decisions.
  static constexpr unsigned Milliseconds = 20, LeastMilliseconds = 5;

  explicit Sampler(bool Exact) : Exact(Exact) {}
  ~Sampler();
  /// Sets the environment. Returns an error, or nothing. Bursts that are so
  /// near to each other tell within milliseconds what a program does.
  std::string begin(const std::string &Bursts = "burst=64,every=131072");
  /// Whether first touches of pages will be known; after begin().
  bool watchFaults();
  /// Gets each slice of lookAndTell, which are not kept.
  std::function<void(const Slice &, const LiveRecord &, pid_t)> Listener;
  /// A file of that name, in the record's folder.
  std::string fileFor(const std::string &Name) const {
    return Folder + "/" + Name;
  }
  /// Looks at the program's own process.
  void look(pid_t Process);
  /// The same for the listener, unless it would take too much of a processor.
  void lookAndTell(pid_t Process);
  /// The last look, at a record that is complete now.
  std::optional<std::string> finish(pid_t Process, NumaProfile &To);

private:
  std::string fileOf(pid_t Process) const;
  Slice take(pid_t Process);
  void keep(Slice S);

  bool Exact;
  std::string Folder;
  LiveRecord Live;
  std::optional<Faults> Seen;
  std::vector<Slice> Slices;
  /// So many looks are one slice.
  unsigned Together = 1, Looks = 0;
  uint64_t Next = 0; ///< Microseconds.
};

} // namespace graupel::numa

#endif
