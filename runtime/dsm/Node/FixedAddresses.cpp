//===- FixedAddresses.cpp - No address randomization in a job -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers to functions, vtables and constants mean the same on all nodes only
// if the kernel loads the program at the same address everywhere. It does so
// for processes with the personality ADDR_NO_RANDOMIZE, which counts from the
// next exec on. `graupel dsm run` sets it before it starts a node. Elsewhere
// (mpirun, srun, a wrapper that clears it) the node does that itself:
//
//   1. Is this one of several nodes, by what the launcher put into the
//      environment? PMIx must not be asked yet: its server takes an exec after
//      PMIx_Init for the end of the node.
//   2. Set the personality. A seccomp filter may forbid it.
//   3. Execute the same file with the same arguments. A variable with the
//      process's number, which exec keeps, prevents loops.
//
// Whatever fails here fails silently: Images.cpp compares addresses, and names
// the reason if they differ.
//
//===----------------------------------------------------------------------===//

#include "Node/FixedAddresses.h"
#include "Transport/LauncherProtocol.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace graupel::dsm {

namespace {

constexpr const char *AgainVariable = "GRAUPEL_DSM_EXECUTED_AGAIN";
const char *Obstacle = "";
int ObstacleError = 0;

bool isRandom() {
  int Now = personality(0xffffffff);
  return Now == -1 || !(Now & ADDR_NO_RANDOMIZE);
}

/// As the kernel got them: with those of an interpreter or a loader that was
/// started with the program as its argument.
std::string readArguments() {
  std::string Text;
  int File = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return Text;
  char Bytes[4096];
  for (ssize_t Got; (Got = read(File, Bytes, sizeof(Bytes))) > 0;)
    Text.append(Bytes, static_cast<size_t>(Got));
  close(File);
  return Text;
}

/// The name under which the file was started, so that `ps` shows it still; of a
/// script the interpreter's.
std::string findFile() {
  constexpr const char *Link = "/proc/self/exe";
  struct stat Running, Named;
  if (stat(Link, &Running) != 0)
    return Link;
  auto IsIt = [&](const char *Path) {
    return stat(Path, &Named) == 0 && Named.st_dev == Running.st_dev &&
           Named.st_ino == Running.st_ino;
  };
  if (auto *Path = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
      Path && IsIt(Path))
    return Path;
  char Path[PATH_MAX];
  ssize_t Length = readlink(Link, Path, sizeof(Path) - 1);
  if (Length > 0) {
    Path[Length] = '\0';
    if (IsIt(Path))
      return Path;
  }
  return Link;
}

void executeAgain() {
  std::string Text = readArguments(), File = findFile();
  std::vector<char *> Arguments;
  for (size_t At = 0; At < Text.size(); At += strlen(&Text[At]) + 1)
    Arguments.push_back(&Text[At]);
  if (Arguments.empty()) {
    errno = ENOENT;
    return;
  }
  Arguments.push_back(nullptr);
  execv(File.c_str(), Arguments.data());
}

} // namespace

bool isOneOfSeveral() {
  if (const char *Launcher = getenv(LauncherVariable)) {
    const char *Nodes = strrchr(Launcher, ',');
    return Nodes && atoi(Nodes + 1) > 1;
  }
  return getenv("PMIX_RANK") && getenv("PMIX_NAMESPACE");
}

void fixAddresses() {
  const char *Again = getenv(AgainVariable);
  bool Tried = Again && atol(Again) == getpid();
  unsetenv(AgainVariable);
  if (!isRandom() || !isOneOfSeveral())
    return;
  if (Tried || getauxval(AT_SECURE)) {
    Obstacle = "the program's file has privileges, so exec restores it";
    return;
  }
  int Before = personality(0xffffffff);
  if (Before == -1 ||
      personality(static_cast<unsigned>(Before) | ADDR_NO_RANDOMIZE) == -1) {
    Obstacle = "personality(ADDR_NO_RANDOMIZE) failed";
    ObstacleError = errno;
    return;
  }
  setenv(AgainVariable, std::to_string(getpid()).c_str(), 1);
  executeAgain();
  Obstacle = "the program cannot be executed again";
  ObstacleError = errno;
  personality(static_cast<unsigned>(Before));
  unsetenv(AgainVariable);
}

std::string whyRandom() {
  if (!isRandom())
    return "";
  std::string Why = *Obstacle ? Obstacle : "it is on in the kernel";
  return ObstacleError ? Why + ": " + strerror(ObstacleError) : Why;
}

} // namespace graupel::dsm
