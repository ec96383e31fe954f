//===- Build/Command.h - A command of a build ----------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_COMMAND_H
#define GRAUPEL_BUILD_COMMAND_H

#include "Environment/Launch/Wait.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>

namespace graupel::build {

/// While it lives, signals that would end this process wait.
class SignalsHeld {
public:
  SignalsHeld();
  SignalsHeld(const SignalsHeld &) = delete;
  ~SignalsHeld();
  /// The signal mask from before.
  const sigset_t &before() const { return Before; }

private:
  sigset_t Before;
};

/// Runs a command to its end, with variables of its own. Signals are for the
/// command meanwhile. 127 and 126 are those of a shell: it could not be
/// started.
environment::CommandEnd
runCommand(llvm::ArrayRef<std::string> Words,
           const std::map<std::string, std::string> &Variables);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_COMMAND_H
