//===- Launch/Sample.h - Runs a command that is sampled ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_SAMPLE_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_SAMPLE_H

#include "Environment/Environment.h"
#include "Environment/Samples/Events.h"

namespace graupel::environment {

struct SampledRun {
  int Status = 0;     ///< The command's exit status, or 128 + signal.
  int Signal = 0;     ///< The signal that has ended it, or 0.
  double Samples = 0; ///< Samples of images that can be optimized.
  std::vector<std::string> Warnings;
};

/// Runs \p Command, with originals, under perf, and adds what was sampled of
/// each image that can be optimized to the database; images that are new are
/// entered into \p A. Nothing is known of the run if this process is killed.
/// Errors after the command has ended are warnings.
llvm::Expected<SampledRun> sample(Environment &E, const Application &A,
                                  const Sampler &By,
                                  const std::vector<std::string> &Command);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_SAMPLE_H
