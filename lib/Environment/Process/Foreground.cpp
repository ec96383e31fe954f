//===- Process/Foreground.cpp - A program in place of this one ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreground.h"
#include "Spawn.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace graupel::environment {

static const int Forwarded[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static volatile sig_atomic_t Running;

/// The terminal tells the program by itself.
static void forward(int Signal, siginfo_t *Info, void *) {
  int Error = errno;
  if (Info->si_code <= 0 && Running > 0)
    kill(static_cast<pid_t>(Running), Signal);
  errno = Error;
}

[[noreturn]] static void becomeProgram(const std::vector<std::string> &Program,
                                       const sigset_t &Mask, int Report) {
  const std::vector<char *> Arguments = argumentsOf(Program);
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  execvp(Arguments[0], Arguments.data());
  int Error = errno;
  (void)!write(Report, &Error, sizeof(Error));
  _exit(127);
}

static void takeStatus(int Status, ForegroundEnd &Result) {
  if (WIFSIGNALED(Status)) {
    Result.Signal = WTERMSIG(Status);
    Result.Status = 128 + Result.Signal;
  } else {
    Result.Status = WEXITSTATUS(Status);
  }
}

/// Errno of the program's start, 0 if it runs: then its end of the pipe closed.
static int startError(int File) {
  int Error = 0;
  ssize_t Got;
  do
    Got = read(File, &Error, sizeof(Error));
  while (Got < 0 && errno == EINTR);
  close(File);
  return Got == sizeof(Error) ? Error : 0;
}

/// The status of a child whose end nobody has told us: it failed, somehow.
static constexpr int Unknown = 125 << 8;

/// Waits for it; meanwhile somebody watches. SIGCHLD waits until it is asked
/// for, so that none is missed.
static int awaitWatched(pid_t Process, const std::function<void(pid_t)> &Watch,
                        unsigned Milliseconds) {
  int Status = 0;
  sigset_t Ended;
  sigemptyset(&Ended);
  sigaddset(&Ended, SIGCHLD);
  timespec Wait = {Milliseconds / 1000, long(Milliseconds % 1000) * 1000000};
  pid_t Got;
  while ((Got = waitpid(Process, &Status, WNOHANG)) == 0 ||
         (Got < 0 && errno == EINTR)) {
    sigtimedwait(&Ended, nullptr, &Wait);
    Watch(Process);
  }
  return Got < 0 ? Unknown : Status;
}

ForegroundEnd runInForeground(const std::vector<std::string> &Program,
                              const std::function<void(pid_t)> &Watch,
                              unsigned Milliseconds) {
  ForegroundEnd Result;
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0) {
    Result.Error = errno;
    Result.Status = 126;
    return Result;
  }
  // Handlers first, and no signal before there is somebody to pass it on to.
  sigset_t All, Before;
  sigfillset(&All);
  sigprocmask(SIG_SETMASK, &All, &Before);
  struct sigaction Old[std::size(Forwarded)], Action = {};
  Action.sa_sigaction = forward;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (size_t N = 0; N < std::size(Forwarded); ++N) {
    sigaction(Forwarded[N], nullptr, &Old[N]);
    // Ignored signals stay ignored, for example under nohup.
    if (Old[N].sa_handler != SIG_IGN)
      sigaction(Forwarded[N], &Action, nullptr);
  }
  Result.Process = fork();
  if (Result.Process == 0)
    becomeProgram(Program, Before, Pipe[1]);
  if (Result.Process < 0)
    Result.Error = errno;
  Running = Result.Process;
  sigset_t Waiting = Before;
  if (Watch)
    sigaddset(&Waiting, SIGCHLD);
  sigprocmask(SIG_SETMASK, &Waiting, nullptr);
  close(Pipe[1]);
  int Status = 0, Failed = startError(Pipe[0]);
  if (Result.Process > 0 && Watch)
    Status = awaitWatched(Result.Process, Watch, Milliseconds);
  else if (Result.Process > 0)
    Status = waitForEnd(Result.Process).value_or(Unknown);
  Running = 0;
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  for (size_t N = 0; N < std::size(Forwarded); ++N)
    sigaction(Forwarded[N], &Old[N], nullptr);
  if (Failed)
    Result.Error = Failed;
  takeStatus(Status, Result);
  if (Result.Error)
    Result.Status = Result.Error == ENOENT ? 127 : 126;
  return Result;
}

} // namespace graupel::environment
