//===- Launch/Wait.cpp - While a command runs -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wait.h"
#include <cerrno>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace graupel::environment;

static volatile pid_t CommandProcess;

static void passOn(int Signal) {
  const int Before = errno;
  if (CommandProcess)
    kill(CommandProcess, Signal);
  errno = Before;
}

/// Signals from the terminal reach the command, too.
static void passOnFromProcess(int Signal, siginfo_t *Info, void *) {
  if (Info->si_code <= 0) // Sent by a process.
    passOn(Signal);
}

SignalsLeftToCommand::SignalsLeftToCommand() {
  struct sigaction Action = {};
  Action.sa_sigaction = passOnFromProcess;
  Action.sa_flags = SA_RESTART | SA_SIGINFO;
  for (int Signal : {SIGINT, SIGQUIT, SIGWINCH})
    sigaction(Signal, &Action, &Before[Signal]);
  // Others come to one process. SIGCONT: the command may have stopped itself.
  for (int Signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
                     SIGPROF, SIGPWR, SIGCONT})
    handle(Signal, passOn);
  for (int Signal = SIGRTMIN; Signal <= SIGRTMAX; ++Signal)
    handle(Signal, passOn);
  // If SIGCHLD were ignored, waitpid() would not report statuses.
  handle(SIGCHLD, SIG_DFL);
}

void SignalsLeftToCommand::handle(int Signal, void (*Handler)(int)) {
  struct sigaction Action = {};
  Action.sa_handler = Handler;
  Action.sa_flags = SA_RESTART;
  sigaction(Signal, &Action, &Before[Signal]);
}

void SignalsLeftToCommand::restore() {
  for (const auto &[Signal, Action] : Before)
    sigaction(Signal, &Action, nullptr);
  Before.clear();
  CommandProcess = 0;
}

void SignalsLeftToCommand::passOnTo(pid_t Command) { CommandProcess = Command; }

static double seconds(const timeval &T) {
  return double(T.tv_sec) + double(T.tv_usec) * 1e-6;
}

/// The status of a command whose end nobody has told us: it failed, somehow.
static constexpr int Unknown = 125;

CommandEnd graupel::environment::waitForCommand(pid_t Command) {
  int Status = 0;
  rusage Used = {};
  pid_t Ended;
  while ((Ended = wait4(Command, &Status, 0, &Used)) < 0 && errno == EINTR)
    ;
  if (Ended < 0)
    return {Unknown, 0, 0, 0};
  const int Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  return {Signal ? 128 + Signal : WEXITSTATUS(Status), Signal,
          seconds(Used.ru_utime), seconds(Used.ru_stime)};
}
