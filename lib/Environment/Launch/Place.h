//===- Launch/Place.h - Active images in their places --------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_PLACE_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_PLACE_H

#include "Environment/Actions/Active.h"
#include "Environment/Substitution/Substitution.h"

namespace graupel::environment {

/// Puts a version in the place of its original for this process and what it
/// starts. Returns what users should know if the original stays, or nothing.
std::string placeVersion(substitution::Substitution &S,
                         const environment::Substitution &Version);

/// Makes the descriptors of this process what they would be if the command had
/// been started without us. If there are versions that count, they count into
/// the spool.
void becomeInvisible(bool Counts);

/// Wrappers of `graupel enable` start programs themselves in what this process
/// becomes: which files are in which places is decided already.
void passWrappers();

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_PLACE_H
