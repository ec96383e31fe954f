//===- Actions/Watch.h - Versions that are brought up to date -- -*- C++ -*-==//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_WATCH_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_WATCH_H

#include "Environment/Actions/Make.h"
#include <map>
#include <set>

namespace graupel::environment {

/// Distance of two profiles of one build in percent: the share of the counts
/// that would have to be elsewhere, 0 to 100. Nothing if they cannot be
/// compared.
std::optional<double> driftPercent(llvm::StringRef Before, llvm::StringRef Now);

/// Why an image was looked at again.
enum class Occasion {
  Changed, ///< The file is another one.
  Counted, ///< There are counts, and nothing was made by them.
  Drifted, ///< Its profile differs from the one its version was made with.
};
llvm::StringRef name(Occasion O);

struct WatchEvent {
  std::string Application;
  Occasion Why;
  std::optional<double> Drift; ///< Percent, if it drifted.
  MadeImage Made;
};

/// Why, as a sentence without its end.
std::string reason(const WatchEvent &Event);

/// Brings the optimized versions of applications up to date. The one that is
/// made last runs from then on; what is running goes on with its own.
class Watcher {
public:
  /// Looks once at each image of \p A, which should run optimized versions. An
  /// attempt without success is not repeated until something changes.
  llvm::Error look(Environment &E, const Application &A,
                   const std::function<void(const WatchEvent &)> &Tell);

private:
  std::optional<WatchEvent> occasion(Environment &E, const Image &Known);

  std::set<std::string> Tried; ///< Contents with what they are counted by.
  /// By path: why nothing can be made now, as it was said.
  std::map<std::string, std::string> Failing;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_WATCH_H
