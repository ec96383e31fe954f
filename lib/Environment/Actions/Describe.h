//===- Actions/Describe.h - The state of an application ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_DESCRIBE_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_DESCRIBE_H

#include "Environment/Actions/Enable.h"
#include "Environment/Actions/Measurements.h"
#include "Environment/Actions/Sources.h"
#include "Environment/Database/Choices.h"
#include "llvm/Support/JSON.h"

namespace graupel::environment {

/// The executed part of an image, according to its profile.
struct Coverage {
  uint64_t Functions = 0, ExecutedFunctions = 0;
  uint64_t Blocks = 0, ExecutedBlocks = 0;
};

struct ProfileState {
  ProfileRow Row; ///< Files: how many files of counters it is the sum of.
  Coverage Share;
  /// Counts came after the optimized version was made.
  bool IsNewer = false;
};

struct ImageState {
  enum class Condition { Same, Changed, Gone };
  Image Row;
  Condition OnDisk = Condition::Same;
  std::vector<Version> Versions; ///< Newest first.
  std::optional<Choice> Chosen;  ///< For this image alone.
  /// Kinds whose version is gone from the store, or was damaged: until it is
  /// made again the original runs in its place.
  std::vector<Kind> Lost;
  std::optional<ProfileState> Counts;
  std::vector<Result> Predicted; ///< For the optimized version that runs.
  /// The newest counts of a build that was here before.
  std::optional<ProfileRow> Older;
  OlderCounts Used; ///< By the optimized version that runs.

  const Version *version(Kind K) const;
  /// The optimized version that runs if one does, or null.
  const Version *optimized() const;
};
llvm::StringRef name(ImageState::Condition C);

struct ApplicationState {
  Application App;
  std::vector<ImageState> Images;
  /// Files that start it with its versions, and why one does not.
  std::vector<std::pair<Starter, std::string>> Starters;
  std::vector<Run> Runs;             ///< The last ones, newest first.
  std::vector<Measurement> Measured; ///< The same.
  std::string Versions; ///< The optimized ones that `graupel run` would run.

  /// The last measurement of these versions, or null.
  const Measurement *lastMeasurement() const;
};

/// Looks at the files of all images; reads those that may have changed.
/// Coverage is computed if \p WithCoverage; it takes a second a million blocks.
llvm::Expected<ApplicationState> describe(Environment &E, const Application &A,
                                          bool WithCoverage);
llvm::Expected<ImageState> describeImage(Environment &E, const Image &I,
                                         bool WithCoverage);

/// Adds the measurements and the versions that they measured. Errors are in the
/// connection.
void addMeasurements(Connection &DB, ApplicationState &S);

/// Percent of taken branches that layout removes, over all images; nothing if
/// no figures are known.
std::optional<double> predictedBranches(const ApplicationState &A);

// The same for programs; docs/environment.md has the schema.
llvm::json::Value toJSON(const ApplicationState &A);
llvm::json::Value toJSON(const ImageState &I);
llvm::json::Value toJSON(const Run &R);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_DESCRIBE_H
