//===- Namespace.cpp - Mounts of one command ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Namespace.h"
#include "Descriptor.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

using namespace graupel::substitution;

namespace {

std::string firstLine(const char *Path) {
  Descriptor File(open(Path, O_RDONLY | O_CLOEXEC));
  char Text[64];
  const ssize_t Got = File ? read(File.number(), Text, sizeof(Text)) : 0;
  std::string Line(Text, size_t(Got > 0 ? Got : 0));
  return Line.substr(0, Line.find('\n'));
}

bool writeLine(const char *Path, const std::string &Line) {
  Descriptor File(open(Path, O_WRONLY | O_CLOEXEC));
  return File &&
         write(File.number(), Line.data(), Line.size()) == ssize_t(Line.size());
}

/// Why the kernel does not let this user have a namespace. The settings are
/// those of Linux, Debian and Ubuntu.
std::string forbidden(const char *Action, int Error) {
  std::string Sentence = std::string("this system does not let you ") + Action +
                         " (" + strerror(Error) + "): ";
  if (firstLine("/proc/sys/user/max_user_namespaces") == "0")
    return Sentence + "the setting user.max_user_namespaces is 0; have it set "
                      "to 10000, or run as root";
  if (firstLine("/proc/sys/kernel/unprivileged_userns_clone") == "0")
    return Sentence + "the setting kernel.unprivileged_userns_clone is 0; have "
                      "it set to 1, or run as root";
  if (firstLine("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") ==
      "1")
    return Sentence + "AppArmor restricts user namespaces; have the setting "
                      "kernel.apparmor_restrict_unprivileged_userns set to 0, "
                      "or run as root";
  if (Error == ENOSPC)
    return Sentence + "namespaces are nested too deeply, or there are too many "
                      "of them; leave some of them";
  if (Error == ENOSYS || Error == EINVAL)
    return Sentence + "its kernel has no user and mount namespaces; use "
                      "another one, or run as root";
  return Sentence +
         "you are in a container, a chroot or a sandbox that forbids "
         "it; run outside of it, or give the container the "
         "capability SYS_ADMIN";
}

uint64_t boundingSet() {
  uint64_t Set = 0;
  for (int Capability = 0; Capability < 64; ++Capability)
    if (prctl(PR_CAPBSET_READ, Capability) == 1)
      Set |= UINT64_C(1) << Capability;
  return Set;
}

} // namespace

bool graupel::substitution::mapOnly(uid_t User, gid_t Group) {
  const std::string U = std::to_string(User), G = std::to_string(Group);
  return writeLine("/proc/self/setgroups", "deny") &&
         writeLine("/proc/self/uid_map", U + " " + U + " 1") &&
         writeLine("/proc/self/gid_map", G + " " + G + " 1");
}

std::optional<std::string> PrivateMounts::enter() {
  const uid_t User = geteuid();
  const gid_t Group = getegid();
  BoundingSet = boundingSet();
  if (unshare(CLONE_NEWNS)) {
    if (errno != EPERM)
      return forbidden("have mounts of your own", errno);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
      return forbidden("have mounts of your own", errno);
    OwnUsers = true;
    if (!mapOnly(User, Group))
      return forbidden("be yourself in a user namespace", errno);
  }
  // Later mounts of others are seen here; mounts made here are ours alone.
  if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr))
    return errno == EINVAL
               ? "the root folder is not a mount, as in a chroot; run outside "
                 "of it, or mount the folder on itself first (mount --rbind)"
               : forbidden("mount files", errno);
  return std::nullopt;
}

void PrivateMounts::dropRights() {
  if (!OwnUsers)
    return;
  // Others lose all capabilities when they start the command, except for what
  // is ambient; user 0 gets what is in the bounding set.
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int Capability = 0; Capability < 64; ++Capability)
    if (!(BoundingSet >> Capability & 1))
      prctl(PR_CAPBSET_DROP, Capability, 0, 0, 0);
}
