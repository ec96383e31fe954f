//===- Process/Foreground.h - A program in place of this one ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_FOREGROUND_H
#define GRAUPEL_ENVIRONMENT_PROCESS_FOREGROUND_H

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::environment {

struct ForegroundEnd {
  pid_t Process = -1;
  /// The exit status, as for env: the program's status, 128 + the signal
  /// that ended it, 126 if it cannot be run, 127 if it is not there.
  int Status = 0;
  int Error = 0;  ///< errno if it could not be started.
  int Signal = 0; ///< The signal that ended it.
};

/// Runs a program with this process's files and environment, and waits for it.
/// Meanwhile signals from the terminal are the program's alone, and those that
/// somebody sends this process are passed on. One call at a time. `Watch`, if
/// there is one, is called every `Milliseconds` while it runs.
ForegroundEnd runInForeground(const std::vector<std::string> &Program,
                              const std::function<void(pid_t)> &Watch = nullptr,
                              unsigned Milliseconds = 0);

} // namespace graupel::environment

#endif
