//===- Actions/Sources.h - The counts of an image ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_SOURCES_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_SOURCES_H

#include "Environment/Environment.h"
#include "Environment/Optimizer/Optimizer.h"

namespace graupel::environment {

/// A profile of what is, or was, at an image's path.
struct ProfileSource {
  ProfileRow Row;
  std::string Bytes;
  bool IsOlder = false; ///< The profile is of an earlier build.
};

/// The best of the profiles of a build: exact counts or, if it came later, an
/// imported one; else samples, with branches if there are any.
/// They are never added to each other: samples are of times, counts of
/// executions.
std::optional<ProfileRow> bestProfile(llvm::ArrayRef<ProfileRow> Rows);

/// The profiles to optimize \p I with: its own one, if any, then those of
/// the last builds before it, the newest first. Own samples without branches
/// come last: measured, they are worth less than counts of another build.
/// Errors are in the connection.
std::vector<ProfileSource> profileSources(Connection &DB, const Image &I);
/// Samples behind counts of other builds: to be used if these do not fit.
std::optional<ProfileSource>
takeLastResort(std::vector<ProfileSource> &Sources);
/// The profile of the build itself, or null.
const ProfileSource *ownProfile(llvm::ArrayRef<ProfileSource> Sources);
/// The same for the same counts, as in Version::Profile.
std::string identityOf(llvm::ArrayRef<ProfileSource> Sources);

/// The use of counts of older builds for a version.
struct OlderCounts {
  bool HasOwn = true; ///< The build that it is of had been counted, too.
  int Builds = 0;     ///< Older ones.
  /// Percent of the newest older one's executed instructions that were found
  /// again; nothing if there was nothing to be found: the code was the same.
  std::optional<double> Matched;
};
/// Conversion to rows of `results`, and back. Other rows are left in
/// \p Results.
void addResults(const OlderCounts &Counts, std::vector<Result> &Results);
OlderCounts takeResults(std::vector<Result> &Results);
/// "profile of an older build, 98.8 % matched", or nothing if no older build
/// had to do with it.
std::string sentence(const OlderCounts &Counts);

/// Files that may be written, in one folder.
struct ScratchFiles {
  std::string Sum, Next, Older;
};

/// Writes the sum of \p Sources to Files.Sum. An older build counts at most
/// half as much as what is newer, and nothing if it has little in common.
llvm::Expected<OlderCounts> sumProfiles(const Optimizer &O,
                                        llvm::ArrayRef<ProfileSource> Sources,
                                        const ScratchFiles &Files);

/// The percentage in what graupel-bolt says of a profile of another build.
std::optional<double> matchedPercent(llvm::StringRef Output);

/// Replaces a file; errors name it.
llvm::Error writeFile(const std::string &Path, llvm::StringRef Bytes);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_SOURCES_H
