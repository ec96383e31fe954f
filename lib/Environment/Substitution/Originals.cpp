//===- Originals.cpp - Where nothing is covered ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Originals.h"
#include "Namespace.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace graupel::substitution;

static bool isSame(const struct stat &A, const struct stat &B) {
  return A.st_dev == B.st_dev && A.st_ino == B.st_ino;
}

/// In a child: has the namespaces until \p Until ends.
[[noreturn]] static void haveCopy(bool OwnUsers, int Say, int Until) {
  const uid_t User = geteuid();
  const gid_t Group = getegid();
  char Made = unshare(CLONE_NEWNS | (OwnUsers ? CLONE_NEWUSER : 0)) == 0 &&
              (!OwnUsers || mapOnly(User, Group));
  if (write(Say, &Made, 1) == 1)
    while (read(Until, &Made, 1) < 0 && errno == EINTR)
      ;
  _exit(0);
}

bool Originals::make(bool OwnUsers) {
  int Said[2], Until[2];
  if (pipe2(Said, O_CLOEXEC))
    return false;
  Descriptor Hear(Said[0]), Say(Said[1]);
  if (pipe2(Until, O_CLOEXEC))
    return false;
  Descriptor Wait(Until[0]), End(Until[1]);
  Before.emplace();
  const pid_t Child = fork();
  if (Child < 0)
    return false;
  if (!Child) {
    close(End.number());
    haveCopy(OwnUsers, Say.number(), Wait.number());
  }
  Say = Descriptor();
  char Made = 0;
  while (read(Hear.number(), &Made, 1) < 0 && errno == EINTR)
    ;
  const std::string Proc = "/proc/" + std::to_string(Child) + "/";
  const auto Open = [&](const char *Name, int Flags) {
    return Descriptor(Made ? open((Proc + Name).c_str(), Flags | O_CLOEXEC)
                           : -1);
  };
  Root = Open("root", O_PATH);
  Users = Open(OwnUsers ? "ns/user" : "", O_RDONLY);
  Mounts = Root && Users ? Open("ns/mnt", O_RDONLY) : Descriptor();
  if (!OwnUsers)
    Users = Descriptor();
  End = Descriptor();
  while (waitpid(Child, nullptr, 0) < 0 && errno == EINTR)
    ;
  return bool(Mounts);
}

bool Originals::has(pid_t Process) const {
  struct stat Theirs, Ours;
  return Mounts && fstat(Mounts.number(), &Ours) == 0 &&
         stat(("/proc/" + std::to_string(Process) + "/ns/mnt").c_str(),
              &Theirs) == 0 &&
         isSame(Theirs, Ours);
}

/// Whether the process has the namespaces and the root of this one.
static bool isBesideUs(pid_t Process) {
  const std::string Proc = "/proc/" + std::to_string(Process);
  struct stat Theirs, Ours;
  for (const std::string Name : {"/ns/mnt", "/ns/user", "/root"})
    if (stat((Proc + Name).c_str(), &Theirs) ||
        stat(("/proc/self" + Name).c_str(), &Ours) || !isSame(Theirs, Ours))
      return false;
  return true;
}

/// Whether an absolute path leads to the same file there.
bool Originals::isSameAt(const std::string &Path) const {
  const std::string There = Path == "/" ? "." : Path.substr(1);
  struct stat Theirs, Ours;
  const bool IsThere = fstatat(Root.number(), There.c_str(), &Theirs, 0) == 0;
  const bool IsHere = stat(Path.c_str(), &Ours) == 0;
  return IsThere == IsHere && (!IsHere || isSame(Theirs, Ours));
}

/// Whether the process can have its working folder there.
bool Originals::isSameFolder(pid_t Process) const {
  const std::string Link = "/proc/" + std::to_string(Process) + "/cwd";
  char Path[PATH_MAX];
  const ssize_t Size = readlink(Link.c_str(), Path, sizeof(Path));
  if (Size <= 0 || Size == ssize_t(sizeof(Path)) || *Path != '/')
    return false;
  const std::string Folder(Path, size_t(Size));
  struct stat Theirs, Ours;
  return stat(Link.c_str(), &Theirs) == 0 && stat(Folder.c_str(), &Ours) == 0 &&
         isSame(Theirs, Ours) && isSameAt(Folder);
}

std::vector<int>
Originals::filesFor(pid_t Process, const std::set<std::string> &Covered) const {
  if (!Mounts || !isBesideUs(Process) || !isSameFolder(Process))
    return {};
  // A command of root may have mounted something.
  for (const std::string &Point : MountTable().changedSince(*Before))
    if (!Covered.count(Point) && !isSameAt(Point))
      return {};
  std::vector<int> Files = {Mounts.number()};
  if (Users)
    Files.push_back(Users.number());
  return Files;
}
