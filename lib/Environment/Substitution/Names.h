//===- Names.h - Other paths of a file ------------------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_NAMES_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_NAMES_H

#include <string>
#include <sys/stat.h>
#include <vector>

namespace graupel::substitution {

/// The mounts at the time when the object is made.
class MountTable {
public:
  MountTable();

  /// Paths by which a file may be reached as well as by `Path`: other mounts of
  /// its file system. Whether they do lead to it is for the caller to see.
  std::vector<std::string> otherPaths(const std::string &Path) const;

  /// Where something was mounted or unmounted since \p Before was made.
  std::vector<std::string> changedSince(const MountTable &Before) const;

private:
  struct Mount {
    unsigned long Id;
    std::string Device; ///< "major:minor"
    std::string Root;   ///< The folder of the file system that is mounted.
    std::string Point;
  };
  std::vector<Mount> Mounts;
};

/// Other names that a file with the inode of `Status` has in the folder of
/// `Path`. Names elsewhere are not looked for: that takes a walk over the whole
/// file system.
std::vector<std::string> otherNames(const std::string &Path,
                                    const struct stat &Status);

} // namespace graupel::substitution

#endif
