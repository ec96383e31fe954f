//===- Actions/Import.h - Profiles from elsewhere ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H

#include "Environment/Environment.h"

namespace graupel::environment {

enum class Imported {
  Added,
  Before,  ///< This very file of counters was added earlier.
  Nothing, ///< It has no samples of this image.
};

/// Adds the profile in \p File to what is known of \p I: counters of this very
/// build are added up; fdata, YAML and perf.data, which graupel-bolt must be
/// able to read for it, are kept as they are (perf.data as YAML) in the place
/// of the last such profile. What came last is what is optimized by.
llvm::Expected<Imported> importProfile(Environment &E, const Image &I,
                                       const std::string &File);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H
