//===- profile/ProfilePath.cpp - Path of the profile ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "ProcFile.h"
#include "ProfileFile.h"
#include "Text.h"
#include <linux/auxvec.h>

using namespace graupel;

namespace {

/// Relative paths would mean something else after chdir.
void makeAbsolute(Runtime &R) {
  if (R.Path[0] == '/')
    return;
  const size_t Relative = length(R.Path);
  char *Tail = R.Path + PathCapacity - 1 - Relative;
  for (size_t I = Relative + 1; I-- > 0;)
    Tail[I] = R.Path[I];
  const long Got = sys::call(__NR_getcwd, sys::word(R.Path),
                             static_cast<long>(Tail - R.Path));
  // Linux says "(unreachable)/..." outside of the root.
  const size_t Folder =
      Got > 0 && R.Path[0] == '/' ? static_cast<size_t>(Got) - 1 : 0;
  char *To = R.Path + Folder;
  if (Folder)
    *To++ = '/';
  if (To != Tail)
    copyBytes(To, Tail, Relative + 1);
}

bool isFolder(const char *Path) {
  struct stat Status;
  return Path[length(Path) - 1] == '/' ||
         (sys::stat(Path, Status) == 0 && (Status.st_mode & S_IFMT) == S_IFDIR);
}

const char *lastComponent(const char *Path) {
  const char *Last = Path;
  for (; *Path; ++Path)
    if (*Path == '/')
      Last = Path + 1;
  return Last;
}

} // namespace

int graupel::choosePath(const Image &I) {
  Runtime &R = I.runtime();
  const char *Default = I.state().profile_path;
  const bool MayChoose =
      auxiliaryValue(AT_RANDOM) != 0 && auxiliaryValue(AT_SECURE) == 0;
  if (!MayChoose || !readEnvironment("GRAUPEL_PROFILE", R.Path, PathCapacity)) {
    TextWriter Writer(R.Path, PathCapacity);
    Writer.put(Default);
    R.BaseLength = Writer.length();
    return Writer.overflowed() ? -ENAMETOOLONG : 0;
  }

  const bool Folder = isFolder(R.Path);
  makeAbsolute(R);
  TextWriter Writer(R.Path, PathCapacity, length(R.Path));
  if (Folder) {
    Writer.put('/');
    Writer.put(lastComponent(Default));
  }
  R.BaseLength = Writer.length();
  return Writer.overflowed() ? -ENAMETOOLONG : 0;
}
