//===- Launch/Started.h - A program that has just started -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_STARTED_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_STARTED_H

#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::environment {

/// The command line and the folder with which a program was started.
struct Started {
  std::vector<std::string> Words; ///< Its name first.
  std::string Folder;             ///< Its working folder.

  /// Asks the kernel. Has no words if \p Process has ended.
  static Started read(pid_t Process);
};

/// The parent of a process, or 0 if it has ended.
pid_t parentOf(pid_t Process);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_STARTED_H
