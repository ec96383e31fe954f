//===- Process/Child.cpp - A program run to its end -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "Spawn.h"
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

static double seconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

/// Lets what is about to start not see signals that this process handles
/// itself: while a command learns, Ctrl-C is the command's.
static void leaveSignals(Spawn &Start) {
  sigset_t Mask;
  sigprocmask(SIG_SETMASK, nullptr, &Mask);
  for (int Signal : {SIGINT, SIGQUIT}) {
    struct sigaction Now;
    if (sigaction(Signal, nullptr, &Now) == 0 && Now.sa_handler != SIG_DFL)
      sigaddset(&Mask, Signal);
  }
  Start.setSignalMask(Mask);
}

static int start(ArrayRef<std::string> Command, int Output, pid_t &Child) {
  Spawn Start;
  Start.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  Start.pass(Output, STDOUT_FILENO);
  Start.pass(Output, STDERR_FILENO);
  leaveSignals(Start);
  return Start.startFromPath(Command, Child);
}

static std::string readAll(int File) {
  std::string Text;
  char Buffer[1 << 14];
  ssize_t Got;
  while ((Got = read(File, Buffer, sizeof(Buffer))) != 0)
    if (Got > 0)
      Text.append(Buffer, size_t(Got));
    else if (errno != EINTR)
      break;
  return Text;
}

Expected<ChildOutcome>
graupel::environment::runChild(ArrayRef<std::string> Command) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return createStringError(Command[0] + ": cannot be run: " +
                             strerror(errno) + "; close some programs");
  const double Begin = seconds();
  pid_t Child = 0;
  const int Code = start(Command, Pipe[1], Child);
  close(Pipe[1]);
  if (Code) {
    close(Pipe[0]);
    return createStringError(Command[0] + ": cannot be run: " + strerror(Code) +
                             "; check that it is there and executable");
  }
  ChildOutcome Result;
  Result.Output = readAll(Pipe[0]);
  close(Pipe[0]);
  const std::optional<int> Status = waitForEnd(Child);
  if (!Status)
    return createStringError(
        Command[0] + ": how it has ended is not known: " + strerror(errno) +
        "; start this with SIGCHLD not ignored");
  Result.Status =
      WIFSIGNALED(*Status) ? 128 + WTERMSIG(*Status) : WEXITSTATUS(*Status);
  Result.Seconds = seconds() - Begin;
  return Result;
}
