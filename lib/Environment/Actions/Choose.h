//===- Actions/Choose.h - The version that runs for one image - -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_CHOOSE_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_CHOOSE_H

#include "Environment/Database/Choices.h"
#include "Environment/Environment.h"

namespace graupel::environment {

/// The word that takes a choice back.
constexpr llvm::StringLiteral NoChoice = "default";

/// From now on `graupel run` puts this in the place of \p I: `original`, the
/// newest `instrumented` or `optimized` version, or a version by the beginning
/// of its name in the store. `default`: what its applications run.
llvm::Error chooseForImage(Environment &E, const Image &I,
                           llvm::StringRef Word);

/// The same for all of \p A; `default` takes back the choices of its images.
llvm::Error chooseForApplication(Environment &E, const Application &A,
                                 llvm::StringRef Word);

/// The choice for \p I where \p Wanted is to run; nothing if the choice does
/// not apply there. Runs that count execute no chosen versions, and runs that
/// compare execute no instrumented ones.
std::optional<Choice> chosenFor(Connection &DB, const Image &I,
                                std::optional<Mode> Wanted);

/// The version of what \p I is now whose name in the store is \p Store.
std::optional<Version> versionCalled(Connection &DB, const Image &I,
                                     llvm::StringRef Store);
/// Why there is none; a sentence.
std::string whyNoChosen(llvm::StringRef Store);

/// The version that runs where optimized ones do, or nothing.
std::optional<Version> optimizedVersion(Connection &DB, const Image &I);

/// The part of a version's name that is shown to users.
llvm::StringRef shortName(llvm::StringRef Store);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_CHOOSE_H
