//===- Lines.cpp - Source lines of places in code ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Which object has the place, and where in its file: the loader knows.
// 2. `graupel dsm lines OBJECT=ADDRESS...`, which lies beside this library or
//    in PATH, prints a line for each, empty if it knows none.
// 3. Without an answer within a few seconds: the symbol, if the loader has one.
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

constexpr unsigned MaxPlaces = 64;
constexpr int AnswerMilliseconds = 8000;

struct Place {
  char Object[PATH_MAX + 24]; ///< PATH=0xADDRESS
  const char *Symbol;
  uintptr_t Offset;
};

/// The file of an object; the loader calls the program's own by no name.
void putPath(const char *Name, char *To, size_t Size) {
  ssize_t Length = -1;
  if (!*Name || !strchr(Name, '/'))
    Length = readlink("/proc/self/exe", To, Size - 1);
  if (Length >= 0)
    To[Length] = 0;
  else
    snprintf(To, Size, "%s", Name);
}

bool find(uintptr_t A, Place &P) {
  Dl_info Info;
  link_map *Map;
  // The call before, which may be the last instruction of its function.
  if (!A || !dladdr1(reinterpret_cast<void *>(A - 1), &Info,
                     reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP))
    return false;
  P.Symbol = Info.dli_sname;
  P.Offset = A - Map->l_addr;
  char Path[PATH_MAX];
  putPath(Map->l_name, Path, sizeof(Path));
  snprintf(P.Object, sizeof(P.Object), "%s=0x%zx", Path, size_t(P.Offset));
  return true;
}

/// Names a place without line information.
void nameByLoader(const Place &P, PlaceName &Name) {
  char File[128];
  const char *End = strrchr(P.Object, '=');
  const char *Start = End;
  while (Start != P.Object && Start[-1] != '/')
    --Start;
  snprintf(File, sizeof(File), "%.*s+0x%zx", int(End - Start), Start,
           size_t(P.Offset));
  snprintf(Name.Text, sizeof(Name.Text), P.Symbol ? "%.60s (%s)" : "%.0s%s",
           P.Symbol ? P.Symbol : "", File);
}

/// Beside this library, in the build and where it is installed.
const char *findTool(char *To, size_t Size) {
  Dl_info Own;
  if (dladdr(reinterpret_cast<void *>(&nameOf), &Own))
    for (const char *Up : {"..", "../.."}) {
      const char *Slash = strrchr(Own.dli_fname, '/');
      int Folder = Slash ? int(Slash - Own.dli_fname) : 0;
      snprintf(To, Size, "%.*s/%s/bin/graupel", Folder, Own.dli_fname, Up);
      if (access(To, X_OK) == 0)
        return To;
    }
  return "graupel";
}

/// Starts the tool; what it prints comes through the file. -1 if it cannot be.
pid_t start(char *const *Arguments, const char *Tool, int &File) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return -1;
  int Null = open("/dev/null", O_RDWR | O_CLOEXEC);
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  // Shares this process's memory: only calls of the kernel until it is gone.
  pid_t Child = vfork();
  if (Child == 0) {
    sigset_t None;
    sigemptyset(&None);
    dup2(Null, 0);
    dup2(Pipe[1], 1);
    dup2(Null, 2);
    sigprocmask(SIG_SETMASK, &None, nullptr);
    execvp(Tool, Arguments);
    _exit(127);
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  close(Pipe[1]);
  close(Null);
  File = Pipe[0];
  return Child;
}

size_t readAll(int File, char *To, size_t Size) {
  size_t Done = 0;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  int64_t End = Now.tv_sec * 1000 + Now.tv_nsec / 1000000 + AnswerMilliseconds;
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &Now);
    int64_t Left = End - (Now.tv_sec * 1000 + Now.tv_nsec / 1000000);
    pollfd Wait = {File, POLLIN, 0};
    int Ready = Left > 0 ? ::poll(&Wait, 1, int(Left)) : 0;
    if (Ready < 0 && errno == EINTR)
      continue;
    ssize_t Got = Ready > 0 ? read(File, To + Done, Size - Done) : 0;
    if (Got <= 0)
      return Done;
    Done += size_t(Got);
  }
}

/// The answers replace the names that are there.
void askTool(const Place *Places, PlaceName **Names, unsigned Count) {
  char Tool[PATH_MAX];
  static char Answer[MaxPlaces * sizeof(PlaceName)];
  const char *Arguments[MaxPlaces + 4] = {"graupel", "dsm", "lines"};
  for (unsigned I = 0; I != Count; ++I)
    Arguments[3 + I] = Places[I].Object;
  int File;
  pid_t Child = start(const_cast<char *const *>(Arguments),
                      findTool(Tool, sizeof(Tool)), File);
  if (Child < 0)
    return;
  size_t Size = readAll(File, Answer, sizeof(Answer) - 1);
  close(File);
  kill(Child, SIGKILL);
  while (waitpid(Child, nullptr, 0) < 0 && errno == EINTR)
    ;
  Answer[Size] = 0;
  char *Line = Answer;
  for (unsigned I = 0; I != Count; ++I) {
    char *End = strchr(Line, '\n');
    if (!End)
      return;
    *End = 0;
    if (*Line)
      snprintf(Names[I]->Text, sizeof(Names[I]->Text), "%s", Line);
    Line = End + 1;
  }
}

/// The thread that asks, or 0.
std::atomic<pid_t> Asking{0};

/// Other threads wait for the one that asks, which often ends the process.
/// False if that is this thread, in a handler of a signal, or takes too long.
bool beginToAsk() {
  pid_t Own = gettid();
  for (int Left = 2 * AnswerMilliseconds; Left; --Left) {
    pid_t Other = 0;
    if (Asking.compare_exchange_strong(Other, Own, std::memory_order_acquire))
      return true;
    if (Other == Own)
      return false;
    timespec Pause = {0, 1000000};
    nanosleep(&Pause, nullptr);
  }
  return false;
}

} // namespace

void namePlaces(const uintptr_t *Given, PlaceName *Names, unsigned Count) {
  static Place Places[MaxPlaces]; // Large, so one thread at a time.
  PlaceName *Known[MaxPlaces];
  unsigned Found = 0;
  bool First = beginToAsk();
  for (unsigned I = 0; I != Count; ++I) {
    snprintf(Names[I].Text, sizeof(Names[I].Text),
             Given[I] ? "code at %#zx" : "unknown code", size_t(Given[I]));
    if (!First || Found == MaxPlaces || !find(Given[I], Places[Found]))
      continue;
    nameByLoader(Places[Found], Names[I]);
    Known[Found++] = &Names[I];
  }
  if (Found)
    askTool(Places, Known, Found);
  if (First)
    Asking.store(0, std::memory_order_release);
}

PlaceName nameOf(uintptr_t Place) {
  PlaceName Result;
  namePlaces(&Place, &Result, 1);
  return Result;
}

} // namespace graupel::dsm
