//===- Samples/Events.h - Events that this machine can sample - -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SAMPLES_EVENTS_H
#define GRAUPEL_ENVIRONMENT_SAMPLES_EVENTS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace graupel::environment {

/// Events that `perf record` can sample here, from the best to the worst.
enum class SampledEvent {
  Branches, ///< Cycles, each with the last branches: which were taken is known.
  Cycles,   ///< Where the processor was; branches are guesses.
  Clock,    ///< The same by a timer, where there are no counters.
};
/// The consequence for a profile, as a sentence without a full stop.
llvm::StringRef sentence(SampledEvent E);

/// The settings to sample a command with.
struct Sampler {
  std::string Perf; ///< The program.
  SampledEvent Event;

  /// The best that this machine, and this user, can do; or what is wrong; what
  /// to do.
  static llvm::Expected<Sampler> find();
  /// \p Command with its samples in \p File. Status and signals are the
  /// command's.
  std::vector<std::string> command(const std::string &File,
                                   std::vector<std::string> Command) const;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_SAMPLES_EVENTS_H
