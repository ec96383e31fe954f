//===- Images/Dependencies.h - Libraries that the loader loads  -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_IMAGES_DEPENDENCIES_H
#define GRAUPEL_ENVIRONMENT_IMAGES_DEPENDENCIES_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace graupel::environment {

struct Dependencies {
  std::vector<std::string> Paths;   ///< Without symbolic links, each once.
  std::vector<std::string> Missing; ///< Names that the loader does not find.
};

/// The libraries that \p Interpreter, the dynamic loader that \p Program asks
/// for, loads with it, in this environment. The system's loader says so itself
/// (--list) and runs nothing of the program. Any other one is not run: nobody
/// has said that the program may be trusted. Then what it and its libraries
/// name is looked for where they say, and beside that loader.
llvm::Expected<Dependencies> listDependencies(const std::string &Program,
                                              const std::string &Interpreter);

/// The dependencies in the loader's listing; for tests.
Dependencies parseListing(llvm::StringRef Listing);

/// Where a shell would find \p Name: itself if it has a slash, else by PATH.
/// Absolute, without symbolic links.
llvm::Expected<std::string> findProgram(const std::string &Name);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_IMAGES_DEPENDENCIES_H
