//===- Numa/Run/Preload.cpp - The runtime in LD_PRELOAD -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `graupel numa run` becomes the program, so nobody is left to remove a link
// when the program ends. There is one folder a user, which stays:
//
// 1. /tmp/graupel-numa-UID is made, or is there already. It must be a folder of
//    this user that nobody else can write: /tmp is everybody's.
// 2. The link's name is the device and the inode of the runtime, so that each
//    runtime has one, which all programs share.
// 3. A link that leads elsewhere is replaced in one step.
//
//===----------------------------------------------------------------------===//

#include "Preload.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel;

static const char Library[] = "libgraupel_numa_run.so";

std::string numa::findRuntime() {
  char Own[PATH_MAX];
  const ssize_t Length = readlink("/proc/self/exe", Own, sizeof(Own));
  std::string Folder(Own, size_t(Length > 0 ? Length : 0));
  Folder.resize(Folder.find_last_of('/') + 1);
  for (const char *Beside : {"../lib/", "../" GRAUPEL_LIBRARY_FOLDER "/", ""}) {
    char Real[PATH_MAX];
    const std::string File = Folder + Beside + Library;
    if (access(File.c_str(), R_OK) == 0 && realpath(File.c_str(), Real))
      return Real;
  }
  return "";
}

/// The folder of this user's links; empty if it is not safe.
static std::string ownFolder() {
  const std::string Folder = "/tmp/graupel-numa-" + std::to_string(geteuid());
  if (mkdir(Folder.c_str(), 0700) != 0 && errno != EEXIST)
    return "";
  struct stat Status;
  if (lstat(Folder.c_str(), &Status) != 0)
    return "";
  if (!S_ISDIR(Status.st_mode) || Status.st_uid != geteuid() ||
      (Status.st_mode & 022)) {
    errno = EPERM;
    return "";
  }
  return Folder;
}

static std::string linkTo(const std::string &File) {
  struct stat Status;
  if (stat(File.c_str(), &Status) != 0)
    return "";
  const std::string Folder = ownFolder();
  if (Folder.empty())
    return "";
  const std::string Link = Folder + "/" + std::to_string(Status.st_dev) + "-" +
                           std::to_string(Status.st_ino) + ".so";
  char Present[PATH_MAX];
  const ssize_t Length = readlink(Link.c_str(), Present, sizeof(Present));
  if (Length > 0 && std::string(Present, size_t(Length)) == File)
    return Link;
  const std::string New = Link + "." + std::to_string(getpid());
  unlink(New.c_str());
  if (symlink(File.c_str(), New.c_str()) != 0)
    return "";
  if (rename(New.c_str(), Link.c_str()) == 0)
    return Link;
  unlink(New.c_str());
  return "";
}

bool numa::preload(const std::string &Runtime) {
  const bool OneWord = Runtime.find_first_of(": ") == Runtime.npos;
  std::string Preload = OneWord ? Runtime : linkTo(Runtime);
  if (Preload.empty())
    return false;
  if (const char *Others = getenv("LD_PRELOAD"); Others && *Others)
    Preload += std::string(":") + Others;
  return setenv("LD_PRELOAD", Preload.c_str(), 1) == 0;
}
