//===- Build/Versions.h - Instrumented and optimized outputs -- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_VERSIONS_H
#define GRAUPEL_BUILD_VERSIONS_H

#include "Environment/Optimizer/Optimizer.h"
#include "Outputs.h"

namespace graupel::build {

/// The statistics that graupel-bolt prints.
struct Figures {
  std::optional<int64_t> Optimized, Functions;
  std::optional<double> CountedPercent; ///< Relative to counted instructions.
  std::string Skipped;                  ///< "12 functions, 2 of which ran, ..."
};

Figures readFigures(llvm::StringRef Output);

/// A version of an output, or why there is none.
struct Version {
  std::string File;
  std::string Failure;
  Figures Said;
};

/// Where an instrumented output counts.
std::string profileOf(const Output &O, const std::string &State);

Version instrument(const environment::Optimizer &By, const Output &O,
                   const std::string &State);
/// Optimizes an output with the profile at profileOf(), which must be there.
/// The result has been verified; it is stripped if the output was to be.
Version optimize(const environment::Optimizer &By, const Output &O,
                 const std::string &State, llvm::ArrayRef<std::string> Options);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_VERSIONS_H
