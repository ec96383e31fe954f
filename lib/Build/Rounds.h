//===- Build/Rounds.h - Training before and after ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_ROUNDS_H
#define GRAUPEL_BUILD_ROUNDS_H

#include "Environment/Actions/Measurements.h"
#include "Places.h"
#include <map>

namespace graupel::build {

/// Runs a shell command with the linked files and with \p Optimized in place,
/// in rounds. The linked files are in place before and, if there is an error,
/// afterwards: all runs must end with \p Status. The output of the command is
/// dropped.
llvm::Expected<environment::Measurement>
measureInPlace(Places &InPlace, llvm::ArrayRef<Replacement> Optimized,
               const std::string &Command, int Status,
               const std::map<std::string, std::string> &Variables);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_ROUNDS_H
