//===- Build/Command.cpp - A command of a build ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Signals are held until there are handlers that pass them on and the
//      child is known, so that none is lost and none ends us.
//   2. The child gets the signals that were there before, its variables, and
//      becomes the command, in the same group of processes: Ctrl-C of a
//      terminal comes to all.
//   3. Once it has ended signals are held again while handlers go away: what
//      comes then ends us as usual, but not before who called holds or
//      releases them.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Environment/Substitution/Substitution.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

using namespace graupel::build;
using namespace graupel::environment;

SignalsHeld::SignalsHeld() {
  sigset_t Set;
  sigemptyset(&Set);
  for (int Signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP})
    sigaddset(&Set, Signal);
  sigprocmask(SIG_BLOCK, &Set, &Before);
}

SignalsHeld::~SignalsHeld() { sigprocmask(SIG_SETMASK, &Before, nullptr); }

CommandEnd graupel::build::runCommand(
    llvm::ArrayRef<std::string> Words,
    const std::map<std::string, std::string> &Variables) {
  SignalsHeld Held;
  SignalsLeftToCommand Signals;
  fflush(nullptr);
  const pid_t Child = fork();
  if (Child == 0) {
    Signals.restore();
    // The caller may have blocked them, too.
    sigset_t None;
    sigemptyset(&None);
    sigprocmask(SIG_SETMASK, &None, nullptr);
    for (const auto &[Name, Value] : Variables)
      setenv(Name.c_str(), Value.c_str(), 1);
    const int Status = substitution::become(Words.vec());
    fprintf(stderr, "graupel build: error: %s: %s; check the name\n",
            Words[0].c_str(), strerror(errno));
    _exit(Status);
  }
  if (Child < 0) {
    fprintf(stderr, "graupel build: error: no process can be started: %s\n",
            strerror(errno));
    return {126, 0, 0, 0};
  }
  Signals.passOnTo(Child);
  sigset_t Open, Now;
  sigemptyset(&Open);
  sigprocmask(SIG_SETMASK, &Open, &Now);
  const CommandEnd End = waitForCommand(Child);
  sigprocmask(SIG_SETMASK, &Now, nullptr);
  return End;
}
