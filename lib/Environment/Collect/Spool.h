//===- Collect/Spool.h - Counters that are to be merged ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instrumented images count into files of one folder, whose path is part of the
// image: nothing has to be in the environment, and what has been counted is
// there when a process is killed.
//
//   NAME.gprofile             images of that name count into it
//   NAME.gprofile.PLAN        the same, of another build: see runtime/profile
//   NAME.gprofile...=ID       taken out of the way: no image finds it any more,
//                             and those that have it go on. When nobody has it,
//                             it is merged, under its ID, and removed
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_COLLECT_SPOOL_H
#define GRAUPEL_ENVIRONMENT_COLLECT_SPOOL_H

#include <functional>
#include <string>
#include <vector>

namespace graupel::collection {

/// A file that nobody counts into any more, or that was taken out of the way.
struct FinishedCounters {
  std::string Name; ///< The name that the image was told to use.
  std::string Id;   ///< No other file has it, ever.
  std::string Path; ///< For messages: another collector may have removed it.
  int File; ///< Open for reading: a profile; see docs/profile-format.md.
};

enum class MergeResult {
  Done, ///< Or done already, by somebody who was killed before it was removed.
  NotNow,  ///< The file is kept and offered again.
  Damaged, ///< Never will be: it is put aside.
};

struct CollectResult {
  unsigned Merged = 0;
  unsigned Busy = 0; ///< Files that processes still count into.
  /// Errors with the files' names, as sentences; all files are still there.
  std::vector<std::string> Problems;
};

using MergeFunction = std::function<MergeResult(const FinishedCounters &)>;
/// Is shown files that processes still count into, each time.
using LookFunction = std::function<void(const FinishedCounters &)>;

/// Offers each finished file of the folder to `Merge`, which has to remember
/// the id in the same transaction as the counts. Any number of collectors may
/// be at work, and be killed at any time: each file counts once.
CollectResult collect(const std::string &Folder, const MergeFunction &Merge,
                      const LookFunction &Look = {});

} // namespace graupel::collection

#endif
