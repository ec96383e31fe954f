//===- Launch/Changes.cpp - Originals that are written to -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Changes.h"
#include "Environment/Process/Spawn.h"
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;
using graupel::substitution::Descriptor;

Changes::Changes() : Events(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

void Changes::watch(const std::string &Path) {
  if (!Events)
    return;
  const int Number =
      inotify_add_watch(Events.number(), Path.c_str(), IN_MODIFY);
  if (Number >= 0)
    Watched[Number] = Path;
}

void Changes::handle(substitution::Substitution &Places,
                     const std::function<void(const std::string &)> &Tell) {
  alignas(inotify_event) char Bytes[4096];
  ssize_t Got;
  while ((Got = read(Events.number(), Bytes, sizeof(Bytes))) > 0)
    for (ssize_t At = 0; At < Got;) {
      const auto *Event = reinterpret_cast<const inotify_event *>(Bytes + At);
      At += ssize_t(sizeof(inotify_event) + Event->len);
      const auto It = Watched.find(Event->wd);
      if (It == Watched.end())
        continue;
      // It is gone, and so is its watch; its path may be another file's by now.
      if (Event->mask & IN_IGNORED) {
        Watched.erase(It);
        continue;
      }
      const std::string Path = It->second;
      inotify_rm_watch(Events.number(), Event->wd);
      Watched.erase(It);
      Places.remove(Path);
      Tell(Path);
    }
}

/// Nothing of the command's is held: its terminal, its files, its folder.
static void leaveAlone(int Keep, int AlsoKeep) {
  setsid();
  if (chdir("/") != 0)
    return;
  const unsigned First = unsigned(std::min(Keep, AlsoKeep)),
                 Last = unsigned(std::max(Keep, AlsoKeep));
  if (First)
    syscall(SYS_close_range, 0, First - 1, 0);
  if (Last - First > 1)
    syscall(SYS_close_range, First + 1, Last - 1, 0);
  syscall(SYS_close_range, Last + 1, ~0U, 0);
  for (int Signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE})
    signal(Signal, SIG_IGN);
}

void graupel::environment::watchInBackground(
    Changes &C, substitution::Substitution &Places) {
  Descriptor Ended(int(syscall(SYS_pidfd_open, getpid(), 0)));
  if (!Ended || C.file() < 0)
    return;
  // A command that waits for its children must not meet one of ours: it ends
  // before the command begins, and the kernel is told not to keep it.
  const pid_t Between = fork();
  if (Between) {
    if (Between > 0)
      waitForEnd(Between);
    return;
  }
  if (fork())
    _exit(0);
  leaveAlone(Ended.number(), C.file());
  prctl(PR_SET_NAME, "graupel-watch");
  pollfd Files[] = {{Ended.number(), POLLIN, 0}, {C.file(), POLLIN, 0}};
  while (!(Files[0].revents & POLLIN)) {
    if (poll(Files, 2, -1) < 0 && errno != EINTR)
      break;
    if (Files[1].revents & POLLIN)
      C.handle(Places, [](const std::string &) {});
  }
  _exit(0);
}
