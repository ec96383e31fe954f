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

/// While a command runs, it handles signals that both receive: it may go on.
/// Signals that are sent to this process alone are passed on.
class SignalsLeftToCommand {
public:
  SignalsLeftToCommand();
  SignalsLeftToCommand(const SignalsLeftToCommand &) = delete;
  ~SignalsLeftToCommand() { restore(); }
  /// Also for the command itself, before it begins.
  void restore();
  /// The process to which signals for this process alone are passed on.
  void passOnTo(pid_t Command);

private:
  void handle(int Signal, void (*Handler)(int));

  std::map<int, struct sigaction> Before;
};

/// The end of a command.
struct CommandEnd {
  int Status = 0; ///< Exit status, or 128 + signal.
  int Signal = 0; ///< The signal that has ended it, or 0.
  double UserSeconds = 0, SystemSeconds = 0;
};

/// Waits for a child. Times are those of all processes that it waited for.
CommandEnd waitForCommand(pid_t Command);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_WAIT_H
