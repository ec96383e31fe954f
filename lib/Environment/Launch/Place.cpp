//===- Launch/Place.cpp - Active images in their places -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Place.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;

static substitution::FileIdentity convert(const FileIdentity &F) {
  return {uint64_t(F.Device), uint64_t(F.Inode), uint64_t(F.Size), F.ModifyTime,
          F.ChangeTime};
}

std::string
graupel::environment::placeVersion(substitution::Substitution &S,
                                   const environment::Substitution &Version) {
  auto Left = S.place({Version.Original, convert(Version.OriginalIdentity),
                       Version.StoreFile, convert(Version.StoreIdentity)});
  return Left ? Left->Original + ": " + Left->Why : "";
}

/// Standard files that were closed have been opened so that nothing else gets
/// their numbers, for what nobody does with them.
static bool standsForClosed(int File) {
  struct stat Status;
  const int Access = fcntl(File, F_GETFL) & O_ACCMODE;
  return Access == (File == STDIN_FILENO ? O_WRONLY : O_RDONLY) &&
         fstat(File, &Status) == 0 && S_ISCHR(Status.st_mode) &&
         Status.st_rdev == makedev(1, 3);
}

void graupel::environment::becomeInvisible(bool Counts) {
  for (int File : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (standsForClosed(File))
      fcntl(File, F_SETFD, FD_CLOEXEC);
  if (Counts)
    unsetenv("GRAUPEL_PROFILE");
}

void graupel::environment::passWrappers() {
  setenv("GRAUPEL_WRAPPERS", "off", 1);
}
