//===- Build/Outputs.h - The outputs of a build --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_OUTPUTS_H
#define GRAUPEL_BUILD_OUTPUTS_H

#include "Links.h"
#include <sys/stat.h>

namespace graupel::build {

/// A file on the disk, by all names that it was found under.
struct Copy {
  struct stat Status;
  std::vector<std::string> Paths; ///< Absolute.
};

/// A program or a library, wherever it is.
struct Output {
  std::string Name;    ///< For people.
  std::string Content; ///< SHA-256.
  std::vector<Copy> Copies;
  std::string Plain; ///< With relocations and symbols: what is optimized.
  Strip Asked = Strip::Nothing;
  std::string Unfit; ///< Why it cannot be optimized, or empty.
  /// Further information for users who install it, or empty.
  std::string Note;
  /// The link that has made this very file, if it is known.
  std::optional<Link> By;

  int64_t size() const { return Copies.front().Status.st_size; }
};

/// All files below \p Folder that are programs or shared libraries, and those
/// that \p Also names (real paths), by what they are on the disk. \p State is
/// not entered.
std::vector<Copy> findImages(const std::string &Folder,
                             const std::string &State,
                             llvm::ArrayRef<std::string> Also);

/// Linked files that are still there: those of noted links, and those no older
/// than \p Since (nanoseconds since 1970). Copies with the same content are one
/// output.
llvm::Expected<std::vector<Output>>
findOutputs(const std::string &Folder, const std::string &State, int64_t Since);

int64_t nanoseconds(const timespec &T);

/// The real path of its folder, and its name in that.
std::string throughLinks(const std::string &Path);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_OUTPUTS_H
