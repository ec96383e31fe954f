//===- Actions/Clean.h - Removes unneeded files --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_CLEAN_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_CLEAN_H

#include "Environment/Environment.h"

namespace graupel::environment {

struct Cleaned {
  int64_t Files = 0, Bytes = 0; ///< Removed from the store.
  int64_t Versions = 0;         ///< Removed from the database.
  int64_t Kept = 0, KeptBytes = 0;
  /// The young ones among those: others make versions and may be about to name
  /// them.
  int64_t Waiting = 0;
};

/// Removes versions that nothing can run any more (of contents that no image
/// has, and all but the newest of each kind), and files that the database does
/// not name. While others make versions, files younger than \p Grace seconds
/// stay: somebody may be about to name them. Whoever runs an image keeps it
/// until the process ends.
llvm::Expected<Cleaned> collectGarbage(Environment &E, int64_t Grace = 3600);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_CLEAN_H
