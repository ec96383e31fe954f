//===- Launch/Counters.h - From the spool to the database ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_COUNTERS_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_COUNTERS_H

#include "Environment/Collect/Spool.h"
#include "Environment/Environment.h"

namespace graupel::environment {

/// Adds what finished processes have counted to the database, once. \p Run is
/// the run that has just ended, or 0. Every command that looks at profiles
/// begins with that.
collection::CollectResult collectCounters(Environment &E, int64_t Run = 0);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_COUNTERS_H
