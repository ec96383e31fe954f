//===- Actions/Profiles.h - Runs and what they counted -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H

#include "Environment/Environment.h"

namespace graupel::environment {

/// What became of a file of counters.
enum class Merged {
  Added,
  Before, ///< Its id was merged earlier: remove the file.
  Empty,  ///< Not a complete profile: its process died before it counted.
};

/// Adds the file of counters \p Bytes to the profile of \p Content, once for
/// each
/// \p File, which is an id that no other file has or will ever have. All or
/// nothing, whoever is killed. \p Run may be 0. It is an error, and nothing is
/// remembered, if the bytes are no profile of that content or the disk is full.
llvm::Expected<Merged> mergeProfile(Environment &E, llvm::StringRef Content,
                                    llvm::StringRef File, llvm::StringRef Bytes,
                                    int64_t Run);

/// The name that an instrumented image's counters have in a folder of the
/// spool, and back: the content, or nothing.
std::string spoolName(llvm::StringRef Content);
std::optional<std::string> contentOfSpoolName(llvm::StringRef FileName);

/// A run begins: the row's id.
llvm::Expected<int64_t> beginRun(Environment &E, int64_t Application,
                                 llvm::ArrayRef<std::string> Command, Mode M);
/// It has ended. \p Status is the exit status or 128 + signal.
llvm::Error endRun(Environment &E, int64_t Run, int Status, double UserSeconds,
                   double WallSeconds);
/// Where instrumented images are told to count.
std::string spoolFolder(const Environment &E);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_PROFILES_H
