//===- Actions/Choose.h - What runs in one place -------------- -*- C++ -*-===//
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
                           llvm::StringRef What);

/// The same for all of \p A; `default` takes back the choices of its images.
llvm::Error chooseForApplication(Environment &E, const Application &A,
                                 llvm::StringRef What);

/// What was chosen for \p I, where \p Wanted is to run; nothing if that does
/// not matter there. What counts is counted whole, and what is compared is
/// optimized.
std::optional<Choice> chosenFor(Connection &DB, const Image &I,
                                std::optional<Mode> Wanted);

/// The version of what \p I is now whose name in the store is \p Store.
std::optional<Version> versionCalled(Connection &DB, const Image &I,
                                     llvm::StringRef Store);
/// Why there is none; a sentence.
std::string whyNoChosen(llvm::StringRef Store);

/// The version that runs where optimized ones do, or nothing.
std::optional<Version> optimizedVersion(Connection &DB, const Image &I);

/// As much of a version's name as people are shown.
llvm::StringRef shortName(llvm::StringRef Store);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_CHOOSE_H
