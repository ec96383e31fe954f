//===- Numa/Profile/Recorded.h - From a record to traffic -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PROFILE_RECORDED_H
#define GRAUPEL_NUMA_PROFILE_RECORDED_H

#include "Numa/Live/Faults.h"
#include "Numa/Live/Live.h"
#include "Numa/Plan/Traffic.h"

namespace graupel::numa {

/// Where the pages were when they were referred to; bytes.
struct Nearness {
  uint64_t Local = 0, Remote = 0, Unknown = 0;
};

struct NumaProfile {
  Traffic Observed;
  std::vector<uint64_t> ThreadBytes; ///< By number of the thread.
  Nearness Was;
  std::string Selection;        ///< The options of the recording.
  std::vector<size_t> ObjectOf; ///< Index in Observed, by the record's number.
};

/// Reads a finished record. `Slices` are of the time when it was made; they
/// tell phases. `Seen`: the faults of that program, if they were watched.
/// Returns an error, or nothing.
std::optional<std::string> readRecorded(const std::string &File,
                                        const std::vector<Slice> &Slices,
                                        const Faults *Seen, NumaProfile &To);

/// The name in profiles.
const char *nameOf(FirstTouch F);

/// A profile as JSON (docs/numa.md has the schema).
std::string profileText(const NumaProfile &P);
std::optional<std::string> readProfile(const std::string &File,
                                       NumaProfile &To);

} // namespace graupel::numa

#endif
