//===- StrideRecord/Names.cpp ---------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Environment/Output/GivenFile.h"
#include "graupel/stride_record.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace graupel::stride {

static std::string lastPart(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

RecordNames::RecordNames(const std::string &Wanted, const std::string &Program)
    : Wanted(Wanted) {
  size_t Slash = Wanted.rfind('/');
  if (Slash != std::string::npos)
    Folder = Wanted.substr(0, Slash + 1);
  Before = (Wanted.empty() ? lastPart(Program) : lastPart(Wanted)) + ".";
  After = Wanted.empty() ? ".gstride" : "";
}

/// False, and an empty header, if it is no record; an empty file may become
/// one.
static bool readHeader(const std::string &Path, RecordHeader &Header) {
  Header = {};
  substitution::Descriptor File;
  if (output::openGiven(Path, File))
    return false;
  const ssize_t Got = pread(File.number(), &Header, sizeof(Header), 0);
  return Got == 0 ||
         memcmp(Header.Magic, RecordMagic, sizeof(RecordMagic)) == 0;
}

bool RecordNames::mayReplace() const {
  struct stat Facts;
  RecordHeader Header;
  return lstat(Wanted.c_str(), &Facts) != 0 ||
         (S_ISREG(Facts.st_mode) && readHeader(Wanted, Header));
}

std::string RecordNames::begin() {
  const std::string &Where = Folder.empty() ? "." : Folder;
  if (access(Where.c_str(), W_OK | X_OK) != 0)
    return "no files can be made in " + Where + ": " + strerror(errno) +
           "; name another place with -o";
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  Start = uint64_t(Now.tv_sec) * 1000000000 + uint64_t(Now.tv_nsec);
  return Wanted.empty() || mayReplace()
             ? ""
             : Wanted + " is there and is no record; name another file with -o";
}

std::string RecordNames::pattern() const {
  std::string Path = Folder + Before + "%p" + After;
  char Here[4096];
  return Path[0] != '/' && getcwd(Here, sizeof(Here))
             ? std::string(Here) + "/" + Path
             : Path;
}

/// BEFORE, a process, AFTER; of a process that has become another program, then
/// ".2" and so on.
bool RecordNames::isName(const std::string &Name) const {
  size_t At = Before.size();
  auto SkipNumber = [&] {
    size_t First = At;
    while (At < Name.size() && isdigit(static_cast<unsigned char>(Name[At])))
      ++At;
    return At > First;
  };
  if (!Name.starts_with(Before) || !SkipNumber() ||
      Name.compare(At, After.size(), After) != 0)
    return false;
  At += After.size();
  return At == Name.size() ||
         (Name[At++] == '.' && SkipNumber() && At == Name.size());
}

std::vector<std::string> RecordNames::finish(pid_t Program) {
  std::vector<std::string> Result;
  const std::string Own = Folder + Before + std::to_string(Program) + After;
  DIR *Entries = opendir(Folder.empty() ? "." : Folder.c_str());
  while (dirent *Entry = Entries ? readdir(Entries) : nullptr) {
    const std::string Path = Folder + Entry->d_name;
    RecordHeader Header;
    if (isName(Entry->d_name) && readHeader(Path, Header) &&
        Header.StartSeconds * 1000000000 + Header.StartNanoseconds >= Start)
      Result.push_back(Path);
  }
  if (Entries)
    closedir(Entries);
  std::sort(Result.begin(), Result.end(),
            [&](const std::string &A, const std::string &B) {
              return std::pair(A != Own, A) < std::pair(B != Own, B);
            });
  if (!Wanted.empty() && !Result.empty() &&
      (Result[0] == Own || Result.size() == 1) && mayReplace() &&
      rename(Result[0].c_str(), Wanted.c_str()) == 0)
    Result[0] = Wanted;
  return Result;
}

} // namespace graupel::stride
