//===- Launch/Learn.h - Runs a command that counts ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_LEARN_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_LEARN_H

#include "Environment/Actions/Active.h"

namespace graupel::environment {

struct Learned {
  int Status = 0;         ///< The command's exit status, or 128 + signal.
  int Signal = 0;         ///< The signal that has ended it, or 0.
  unsigned Files = 0;     ///< Merged files of counters.
  unsigned Busy = 0;      ///< Files that running processes still count into.
  bool HasOthers = false; ///< Other users ran what could have been counted.
  std::vector<std::string> Seen; ///< Instrumented while the command ran.
  std::vector<std::string> Warnings;
};

/// Runs \p Command with the instrumented versions of all images of \p A in
/// place, and of those that it loads or starts besides and that can be
/// instrumented: they are when they are first seen. Adds what was counted to
/// the database. This process is in a mount namespace of its own afterwards,
/// and must have one thread.
llvm::Expected<Learned> learn(Environment &E, const Application &A,
                              const std::vector<std::string> &Command);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_LEARN_H
