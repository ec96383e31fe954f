//===- Launch/Leaks.h - Copies of versions -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that copies an original while it is covered (`make check install`)
// copies the version, and an instrumented version must not be installed.
// Programs that are known to copy see originals (Readers.h). For others the
// agent says which programs start:
//
//   1. A program whose arguments name an original, or a folder above it, may
//      copy it: to a file that another argument names, or into a folder.
//   2. When the command has ended, these files are looked at. One that has the
//      version's content gets that of the original.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_LEAKS_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_LEAKS_H

#include "Environment/Actions/Active.h"
#include "Environment/Substitution/Descriptor.h"
#include "Started.h"
#include <map>
#include <set>

namespace graupel::environment {

class Leaks {
public:
  /// Before the original is covered.
  void keepOriginal(const Substitution &);
  /// \p Program is about to begin, and waits.
  void consider(const Started &Program);
  /// Mends what has been copied. Returns sentences for the user.
  std::vector<std::string> mend();

private:
  struct Covered {
    Substitution Version;
    substitution::Descriptor Original; ///< Open for reading.
  };
  void addTargets(const std::string &Original, const std::string &Source,
                  const std::vector<std::string> &Words);
  std::string mendFile(const std::string &Path, const Covered &C);

  std::map<std::string, Covered> All;
  std::set<std::pair<int64_t, int64_t>> Versions; ///< Devices and inodes.
  /// Files that may have become a copy, with the original.
  std::set<std::pair<std::string, std::string>> Targets;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_LEAKS_H
