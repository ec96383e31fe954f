//===- Names.cpp - Other paths of a file ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <memory>
#include <set>

using namespace graupel::substitution;

/// The kernel writes blanks and backslashes as three octal digits.
static std::string unescape(const std::string &Text) {
  std::string Result;
  for (size_t At = 0; At < Text.size(); ++At) {
    if (Text[At] == '\\' && At + 3 < Text.size()) {
      Result += char(strtoul(Text.substr(At + 1, 3).c_str(), nullptr, 8));
      At += 3;
    } else {
      Result += Text[At];
    }
  }
  return Result;
}

/// `Path` without the folder `Under` in front, beginning with a slash, or
/// nothing if it is not in there.
static std::string below(const std::string &Path, const std::string &Under) {
  if (Under == "/")
    return Path;
  if (Path.starts_with(Under) &&
      (Path.size() == Under.size() || Path[Under.size()] == '/'))
    return Path.substr(Under.size());
  return "";
}

MountTable::MountTable() {
  std::unique_ptr<FILE, int (*)(FILE *)> File(
      fopen("/proc/self/mountinfo", "re"), fclose);
  if (!File)
    return;
  char *Line = nullptr;
  size_t Capacity = 0;
  while (getline(&Line, &Capacity, File.get()) > 0) {
    unsigned long Id;
    char *Words[3] = {};
    if (sscanf(Line, "%lu %*u %ms %ms %ms", &Id, &Words[0], &Words[1],
               &Words[2]) == 4)
      Mounts.push_back({Id, Words[0], unescape(Words[1]), unescape(Words[2])});
    for (char *Word : Words)
      free(Word);
  }
  free(Line);
}

std::vector<std::string> MountTable::otherPaths(const std::string &Path) const {
  struct statx Status;
  if (statx(AT_FDCWD, Path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_MNT_ID,
            &Status) ||
      !(Status.stx_mask & STATX_MNT_ID))
    return {};
  std::vector<std::string> Paths;
  for (const Mount &Own : Mounts) {
    if (Own.Id != Status.stx_mnt_id)
      continue;
    const std::string Tail = below(Path, Own.Point);
    const std::string Inside = (Own.Root == "/" ? "" : Own.Root) + Tail;
    for (const Mount &Other : Mounts) {
      if (Other.Id == Own.Id || Other.Device != Own.Device)
        continue;
      // Mounts of a single file have it for their root.
      const std::string Rest = below(Inside, Other.Root);
      if (Rest.empty() && Inside != Other.Root)
        continue;
      Paths.push_back((Other.Point == "/" ? "" : Other.Point) + Rest);
    }
  }
  return Paths;
}

std::vector<std::string>
MountTable::changedSince(const MountTable &Before) const {
  std::set<std::pair<unsigned long, std::string>> Old, New;
  for (const Mount &M : Before.Mounts)
    Old.insert({M.Id, M.Point});
  for (const Mount &M : Mounts)
    New.insert({M.Id, M.Point});
  std::vector<std::pair<unsigned long, std::string>> Changed;
  std::set_symmetric_difference(Old.begin(), Old.end(), New.begin(), New.end(),
                                std::back_inserter(Changed));
  std::vector<std::string> Points;
  for (auto &[Id, Point] : Changed)
    Points.push_back(std::move(Point));
  return Points;
}

std::vector<std::string>
graupel::substitution::otherNames(const std::string &Path,
                                  const struct stat &Status) {
  std::vector<std::string> Names;
  const size_t Slash = Path.rfind('/');
  if (Status.st_nlink < 2 || Slash == Path.npos)
    return Names;
  const std::string Folder = Path.substr(0, Slash + 1);
  std::unique_ptr<DIR, int (*)(DIR *)> Open(opendir(Folder.c_str()), closedir);
  if (!Open)
    return Names;
  while (const dirent *Entry = readdir(Open.get()))
    if (Entry->d_ino == Status.st_ino &&
        Path.compare(Slash + 1, Path.npos, Entry->d_name) != 0)
      Names.push_back(Folder + Entry->d_name);
  return Names;
}
