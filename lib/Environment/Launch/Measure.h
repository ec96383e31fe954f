//===- Launch/Measure.h - Runs a command before and after ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H

#include "Environment/Actions/Measurements.h"
#include <functional>

namespace graupel::environment {

/// Runs \p Command with originals and with the optimized versions of all
/// applications in place, in \p Rounds rounds (LeastRounds or more) whose order
/// changes, and adds the times to what is known of \p A. What puts versions in
/// place is not measured. It is an error if not all runs end with the same
/// status. It runs in \p Folder. Before each round \p Tell is called with its
/// number, from 0 on.
llvm::Expected<Measurement> measure(Environment &E, const Application &A,
                                    const std::vector<std::string> &Command,
                                    const std::string &Folder, unsigned Rounds,
                                    const std::function<void(unsigned)> &Tell);

/// The name (versionsOf) of what is in place of \p A 's images if optimized
/// versions are; empty if none is.
std::string optimizedVersions(Environment &E, const Application &A);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H
