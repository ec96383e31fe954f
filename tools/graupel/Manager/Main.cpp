//===- Manager/Main.cpp - graupel-ui --------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// graupel-ui PORT BROWSER: `graupel ui` has checked the arguments. 1 for
// BROWSER opens the page there. graupel-ui job: one action of it
// (JobProcess.h).
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Environment/Process/Spawn.h"
#include "Environment/Process/WriteAll.h"
#include "Environment/Substitution/Substitution.h"
#include "JobProcess.h"
#include "Server.h"
#include "llvm/Support/FileSystem.h"
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;
using namespace graupel::ui;

static int fail(const std::string &Message) {
  fprintf(stderr, "graupel ui: error: %s\n", Message.c_str());
  return 1;
}

/// The file that leads the browser to the page, while it is there.
static char DoorFile[PATH_MAX];

/// Running work is in transactions and in files that `graupel gc` removes, so
/// there is nothing to wait for.
static void endNow(int) {
  killAllJobs();
  unlink(DoorFile);
  _exit(0);
}

/// A file that only this user can read and that leads to \p URL. The URL itself
/// in the browser's arguments could be read by everybody.
static bool writeDoor(const Locations &L, const std::string &URL) {
  snprintf(DoorFile, sizeof(DoorFile), "%s/ui-%d.html", L.State.c_str(),
           int(getpid()));
  unlink(DoorFile);
  const int File =
      open(DoorFile, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (File < 0)
    return false;
  const std::string Text = "<!doctype html><title>Graupel</title><meta "
                           "http-equiv=\"refresh\" content=\"0;url=" +
                           URL + "\">\n";
  const bool IsGood = writeAll(File, Text);
  return close(File) == 0 && IsGood;
}

static void openBrowser(const Locations &L, const std::string &URL) {
  const char *const Browser = "xdg-open";
  if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) || !writeDoor(L, URL))
    return;
  Spawn Start;
  for (int File : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    Start.open(File, "/dev/null", O_RDWR);
  Start.leadGroup();
  pid_t Child;
  Start.startFromPath({Browser, DoorFile}, Child);
}

/// Closes files of the server, such as the library's sockets: a job and its
/// children must not have them.
static void closeInherited() {
  constexpr unsigned First = STDERR_FILENO + 1;
  if (syscall(SYS_close_range, First, ~0u, 0) == 0)
    return;
  rlimit Limit;
  if (getrlimit(RLIMIT_NOFILE, &Limit) == 0)
    for (rlim_t File = First; File < std::min<rlim_t>(Limit.rlim_cur, 1 << 16);
         ++File)
      close(int(File));
}

int main(int Argc, char **Argv) {
  const bool IsJob = Argc == 2 && strcmp(Argv[1], "job") == 0;
  if (IsJob)
    closeInherited();
  substitution::surviveFileSizeLimit();
  substitution::hearOfChildren();
  auto L = Locations::find();
  if (!L)
    return fail(toString(L.takeError()));
  if (IsJob)
    return runJob([&](llvm::StringRef Action, Monitor &Told) {
      return performAction(Action, *L, Told);
    });
  if (Argc != 3)
    return fail("this is a part of `graupel ui`; start that");
  // Says now what is wrong with the database, not in the browser.
  auto E = Environment::openToLook(*L);
  if (!E)
    return fail(toString(E.takeError()));
  E->reset();
  auto Doorman = Guard::make();
  if (!Doorman)
    return fail("the kernel has no random numbers; try again");
  signal(SIGPIPE, SIG_IGN);
  Server S(*L, std::move(*Doorman));
  if (!S.bind(atoi(Argv[1])))
    return fail(std::string("port ") + Argv[1] +
                " is taken; give another one with --port, or none");
  for (int Signal : {SIGINT, SIGTERM, SIGHUP})
    signal(Signal, endNow);
  printf("%s\nEnd with Ctrl-C. Whoever has this address can do what you can do "
         "with graupel.\n",
         S.url().c_str());
  fflush(stdout);
  if (strcmp(Argv[2], "1") == 0)
    openBrowser(*L, S.url());
  S.serve();
  return fail("the connection was lost; start it again");
}
