//===- Build/Build.h - A build whose outputs are optimized ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_BUILD_H
#define GRAUPEL_BUILD_BUILD_H

#include "Environment/Actions/Measurements.h"
#include "Versions.h"
#include "llvm/Support/JSON.h"

namespace graupel::build {

struct BuildOptions {
  std::string Folder; ///< Where commands run. Absolute.
  std::string State;  ///< Absolute.
  std::vector<std::string> Command;
  std::string Train; ///< For `sh -c`; empty: nothing is optimized.
  bool TrainMayFail = false;
  bool Measure = false;          ///< Times of training before and after.
  std::vector<std::string> Only; ///< Patterns of outputs; empty: all.
  std::vector<std::string> Bolt; ///< Options of graupel-bolt.
};

enum class OutputState {
  Optimized, ///< It is in place.
  Prepared,  ///< It can be optimized, and nothing was asked for.
  NotRun,    ///< The training command did not run it.
  Unfit,     ///< It cannot be optimized.
  Failed     ///< graupel-bolt or what follows failed with it.
};
llvm::StringRef name(OutputState B);

/// The result for an output.
struct Row {
  std::string Name;
  std::vector<std::string> Paths;
  int64_t Before = 0, After = 0; ///< Bytes.
  OutputState State = OutputState::Prepared;
  std::string Why;  ///< It is not optimized.
  std::string Note; ///< Further information for users.
  Figures Said;
};

struct BuildResult {
  int Status = 0;      ///< Status of the failed command or of a later step.
  int Signal = 0;      ///< The signal that has ended it.
  std::string Failure; ///< The error, if this library reports it.
  std::vector<Row> Rows;
  std::optional<environment::Measurement> Measured;
};

/// Runs the build and all that follows. \p Say gets sentences for people while
/// it runs. Errors are of ours, and what was linked is in its place.
llvm::Expected<BuildResult>
build(const BuildOptions &Options,
      const std::function<void(const std::string &)> &Say);

/// Puts linked files back. Returns the number of files.
llvm::Expected<size_t> restoreBuild(const std::string &State);

llvm::json::Object toJSON(const BuildResult &R);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_BUILD_H
