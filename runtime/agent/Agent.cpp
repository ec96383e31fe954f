//===- agent/Agent.cpp - Says what a process is about to load -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic linker loads it into a namespace of its own (rtld-audit(7)). It
// needs no library there, so it costs little, and the program does not see it.
//
//===----------------------------------------------------------------------===//

#include "graupel/agent.h"
#include "profile/Syscall.h"
#include "profile/Text.h"
#include <linux/auxvec.h>
#include <linux/limits.h>
#include <linux/un.h>

using namespace graupel;

#define GRAUPEL_EXPORT __attribute__((visibility("default")))

namespace {

constexpr unsigned AuditVersion =
    2; // LAV_CURRENT of all C libraries since 2021.
constexpr int SocketUnix = 1, SocketPackets = 5, SocketCloseOnExec = O_CLOEXEC;
constexpr int NoSignal = 0x4000;

/// What the kernel has put on the stack.
struct Beginning {
  char **Arguments = nullptr, **Environment = nullptr;
  uint64_t *Auxiliary = nullptr;

  /// Empty if /proc is not there.
  Beginning() {
    // "pid (name) state ...": the name may have anything in it. The 28th is
    // where the stack began.
    char Text[1024];
    const int File = sys::open("/proc/self/stat", O_RDONLY);
    const long Got = File < 0 ? 0 : sys::read(File, Text, sizeof(Text) - 1);
    if (File >= 0)
      sys::close(File);
    long At = Got - 1;
    while (At > 0 && Text[At] != ')')
      --At;
    int Field = 2;
    for (; At > 0 && At < Got && Field < 28; ++At)
      Field += Text[At] == ' ';
    uint64_t Address = 0;
    for (; At > 0 && At < Got && Text[At] >= '0' && Text[At] <= '9'; ++At)
      Address = Address * 10 + static_cast<uint64_t>(Text[At] - '0');
    if (!Address)
      return;
    Arguments = reinterpret_cast<char **>(Address) + 1;
    char **End = Arguments;
    while (*End)
      ++End;
    Environment = ++End;
    while (*End)
      ++End;
    Auxiliary = reinterpret_cast<uint64_t *>(End + 1);
  }

  const char *variable(const char *Name) const {
    for (char **V = Environment; V && *V; ++V) {
      size_t N = 0;
      while (Name[N] && (*V)[N] == Name[N])
        ++N;
      if (!Name[N] && (*V)[N] == '=')
        return *V + N + 1;
    }
    return nullptr;
  }
  uint64_t auxiliary(uint64_t Type) const {
    for (uint64_t *A = Auxiliary; A && A[0] != AT_NULL; A += 2)
      if (A[0] == Type)
        return A[1];
    return 0;
  }
};

/// Of the socket of those who answer.
const char *Name;

int connectToOthers() {
  sockaddr_un Address = {};
  Address.sun_family = SocketUnix;
  const size_t Length = length(Name);
  if (Length + 1 > sizeof(Address.sun_path))
    return -1;
  copyBytes(Address.sun_path + 1, Name, Length);
  const int File = static_cast<int>(
      sys::call(__NR_socket, SocketUnix, SocketPackets | SocketCloseOnExec, 0));
  if (File < 0)
    return -1;
  const long Size =
      static_cast<long>(offsetof(sockaddr_un, sun_path) + 1 + Length);
  if (sys::retry(__NR_connect, File, sys::word(&Address), Size) == 0)
    return File;
  sys::close(File);
  return -1;
}

/// Waits as long as it takes; nobody there is an answer, too.
char ask(char Kind, const char *Path) {
  char Question[1 + PATH_MAX];
  TextWriter Writer(Question, sizeof(Question));
  Writer.put(Kind);
  Writer.put(Path);
  const int File = Writer.overflowed() ? -1 : connectToOthers();
  if (File < 0)
    return GRAUPEL_AGENT_GO_ON;
  char Answer = GRAUPEL_AGENT_GO_ON;
  if (sys::retry(__NR_sendto, File, sys::word(Question),
                 static_cast<long>(Writer.length()), NoSignal, 0L, 0L) > 0)
    sys::read(File, &Answer, 1);
  sys::close(File);
  return Answer;
}

/// If there is another program in the place of this one now, becomes it: it is
/// what would have been started a moment later.
void considerProgram(const Beginning &B) {
  const auto *Path = reinterpret_cast<const char *>(B.auxiliary(AT_EXECFN));
  struct stat Named, Runs;
  // A script's name leads to the script, the linker's own to the linker.
  const bool CanStartAgain = Path && sys::stat(Path, Named) == 0 &&
                             sys::stat("/proc/self/exe", Runs) == 0 &&
                             Named.st_ino == Runs.st_ino &&
                             Named.st_dev == Runs.st_dev;
  if (ask(GRAUPEL_AGENT_PROGRAM, "") == GRAUPEL_AGENT_AGAIN && CanStartAgain)
    sys::call(__NR_execve, sys::word(Path), sys::word(B.Arguments),
              sys::word(B.Environment));
}

bool hasFolder(const char *Path) {
  for (; *Path; ++Path)
    if (*Path == '/')
      return true;
  return false;
}

} // namespace

extern "C" GRAUPEL_EXPORT unsigned la_version(unsigned Version) {
  const Beginning B;
  Name = B.variable(GRAUPEL_AGENT_VARIABLE);
  if (!Name)
    return 0;
  considerProgram(B);
  return Version < AuditVersion ? Version : AuditVersion;
}

/// Called with each path that the linker is going to try.
extern "C" GRAUPEL_EXPORT char *la_objsearch(const char *Path, uintptr_t *,
                                             unsigned) {
  struct stat Status;
  if (hasFolder(Path) && sys::stat(Path, Status) == 0)
    ask(GRAUPEL_AGENT_LIBRARY, Path);
  return const_cast<char *>(Path);
}
