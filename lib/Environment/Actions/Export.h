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
  std::string Path; ///< The image's.
  std::string File; ///< The written file; empty if there is no such version.
};

/// Writes the optimized images of \p A, by their paths, below \p Folder, which
/// is made: for a package, or another machine. Only those that belong to what
/// is on disk now. With \p Profiles also what each image would be optimized by,
/// as graupel-bolt reads it: by the image's path, with ".gprofile", ".fdata" or
/// ".yaml". No registered image is ever replaced, and nothing but what was
/// exported before: all files are judged before the first takes its place.
llvm::Expected<std::vector<Exported>> exportFiles(Environment &E,
                                                  const Application &A,
                                                  const std::string &Folder,
                                                  bool Profiles);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_EXPORT_H
