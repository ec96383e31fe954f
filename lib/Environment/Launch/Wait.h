//===- Launch/Wait.h - While a command runs ------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_WAIT_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_WAIT_H

#include <csignal>
#include <map>
#include <sys/types.h>

namespace graupel::environment {

/// While a command runs, what is for both is left to it: it may go on. What is
/// sent to this process alone is passed on.
class SignalsLeftToCommand {
public:
  SignalsLeftToCommand();
  SignalsLeftToCommand(const SignalsLeftToCommand &) = delete;
  ~SignalsLeftToCommand() { restore(); }
  /// Also for the command itself, before it begins.
  void restore();
  /// Whom to pass on what was sent to this process alone.
  void passOnTo(pid_t Command);

private:
  void handle(int Signal, void (*Handler)(int));

  std::map<int, struct sigaction> Before;
};

/// How a command ended.
struct CommandEnd {
  int Status = 0; ///< Exit status, or 128 + signal.
  int Signal = 0; ///< That has ended it, or 0.
  double UserSeconds = 0, SystemSeconds = 0;
};

/// Waits for a child. Times are those of all processes that it waited for.
CommandEnd waitForCommand(pid_t Command);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_WAIT_H
