//===- Process/Child.cpp - A program run to its end -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace graupel::environment;

static double seconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

/// Lets what is about to start not see signals that this process handles
/// itself: while a command learns, Ctrl-C is the command's.
static void leaveSignals(posix_spawnattr_t &Attributes) {
  sigset_t Mask;
  sigprocmask(SIG_SETMASK, nullptr, &Mask);
  for (int Signal : {SIGINT, SIGQUIT}) {
    struct sigaction Now;
    if (sigaction(Signal, nullptr, &Now) == 0 && Now.sa_handler != SIG_DFL)
      sigaddset(&Mask, Signal);
  }
  posix_spawnattr_setsigmask(&Attributes, &Mask);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK);
}

static int start(ArrayRef<std::string> Command, int Output, pid_t &Child) {
  std::vector<char *> Arguments;
  for (const std::string &Word : Command)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Output, 1);
  posix_spawn_file_actions_adddup2(&Actions, Output, 2);
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  leaveSignals(Attributes);
  const int Code = posix_spawnp(&Child, Arguments[0], &Actions, &Attributes,
                                Arguments.data(), environ);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Actions);
  return Code;
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
  int Status = 0;
  pid_t Ended;
  while ((Ended = waitpid(Child, &Status, 0)) < 0 && errno == EINTR)
    ;
  if (Ended < 0)
    return createStringError(
        Command[0] + ": how it has ended is not known: " + strerror(errno) +
        "; start this with SIGCHLD not ignored");
  Result.Status =
      WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  Result.Seconds = seconds() - Begin;
  return Result;
}
