//===- Actions/Profiles.h - Runs and what they counted -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H

#include "Environment/Environment.h"
#include "Environment/Samples/Samples.h"

namespace graupel::environment {

/// The outcome for a file of counters.
enum class Merged {
  Added,
  Before, ///< Its id was merged earlier: remove the file.
  Empty,  ///< Not a complete profile: its process died before it counted.
};

/// Whether processes still count into a file.
enum class Counting { HasEnded, GoesOn };

/// Adds the file of counters \p Bytes to the profile of \p Content, once for
/// each
/// \p File, which is an id that no other file has or will ever have. All or
/// nothing, whoever is killed. \p Run may be 0. It is an error, and nothing is
/// remembered, if the bytes are no profile of that content or the disk is full.
/// If processes still count into the file, only its new counts are added each
/// time.
llvm::Expected<Merged> mergeProfile(Environment &E, llvm::StringRef Content,
                                    llvm::StringRef File, llvm::StringRef Bytes,
                                    int64_t Run,
                                    Counting Progress = Counting::HasEnded);

/// The same for samples; \p File is an id that no other samples of that content
/// have.
llvm::Expected<Merged> mergeSamples(Environment &E, llvm::StringRef Content,
                                    llvm::StringRef File, const Samples &S,
                                    int64_t Run);

/// Weight of counts that are \p Weeks old. When counts are added to a profile,
/// the older ones lose half of their weight every 30 days, so that recent runs
/// decide in the end (profiles of 2 to 3 weeks still work, says Spike's
/// article). In steps of a week, so that small numbers shrink, too, and within
/// a week counts are exact.
double weightAfter(int64_t Weeks);
int64_t weeksBetween(int64_t Earlier, int64_t Later);
/// Weight of a run's counts relative to the newest ones; nothing if they are in
/// no profile of a current build.
std::optional<double> weightOf(const Run &R);

/// The name that an instrumented image's counters have in a folder of the
/// spool.
std::string spoolName(llvm::StringRef Content);

/// A run begins: the row's id.
llvm::Expected<int64_t> beginRun(Environment &E, int64_t Application,
                                 llvm::ArrayRef<std::string> Command, Mode M,
                                 Method ProfileMethod);
/// It has ended. \p Status is the exit status or 128 + signal.
llvm::Error endRun(Environment &E, int64_t Run, int Status, double UserSeconds,
                   double WallSeconds);
/// Where instrumented images are told to count.
std::string spoolFolder(const Environment &E);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H
