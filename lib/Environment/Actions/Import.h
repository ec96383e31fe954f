//===- Actions/Import.h - Profiles from elsewhere ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H

#include "Environment/Environment.h"
#include "Environment/Samples/Samples.h"

namespace graupel::environment {

enum class Imported {
  Added,
  Before,  ///< This very file of counters was added earlier.
  Nothing, ///< It has no samples of this image.
};

/// Adds the profile in \p File to what is known of \p I. Counters of this very
/// build are added up, and so are samples (perf.data). fdata and YAML, which
/// graupel-bolt must be able to read for it, are kept as they are in the place
/// of the last such profile. bestProfile says what is optimized by.
llvm::Expected<Imported> importProfile(Environment &E, const Image &I,
                                       const std::string &File);

/// The samples of an image in perf.data; none if all are of other images.
llvm::Expected<Samples> readSamples(Environment &E, const Image &I,
                                    const std::string &File);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_IMPORT_H
