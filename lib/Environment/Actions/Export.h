//===- Actions/Export.h - Images and profiles for elsewhere --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_EXPORT_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_EXPORT_H

#include "Environment/Environment.h"

namespace graupel::environment {

struct Exported {
  std::string Path; ///< Of the image.
  std::string File; ///< That was written; empty if there is no such version.
};

/// Writes the optimized images of \p A, by their paths, below \p Folder, which
/// is made: for a package, or another machine. Only those that belong to what
/// is on disk now.
llvm::Expected<std::vector<Exported>>
exportImages(Environment &E, const Application &A, const std::string &Folder);

/// Writes what an image would be optimized by, as graupel-bolt reads it, below
/// \p Folder: by the image's path, with ".gprofile", ".fdata" or ".yaml".
/// Returns the file; empty if nothing has been counted of what is there now.
llvm::Expected<std::string> exportProfile(Environment &E, const Image &I,
                                          const std::string &Folder);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_EXPORT_H
