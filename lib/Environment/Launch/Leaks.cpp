//===- Launch/Leaks.cpp - Copies of versions ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds files that became copies of an instrumented version, and gives them the
// original's content.
//
// 1. keepOriginal opens an original before it is covered, up to a limit, and
//    notes the inode of its version.
// 2. consider makes the arguments of a program absolute. If one leads to an
//    original or a folder above it, addTargets notes the names that cp or
//    install would give the copy, for each argument.
// 3. mend looks at all these names when the command has ended. mendFile goes on
//    with a regular file that has the version's size and hash but is no version
//    itself.
// 4. copyOver writes the original's bytes into the file. Its capabilities, mode
//    and time are restored; a copy that had kept the version's time gets the
//    original's.
//
//===----------------------------------------------------------------------===//

#include "Leaks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/xattr.h>

using namespace llvm;
using namespace graupel;
using namespace graupel::environment;
using graupel::substitution::Descriptor;

/// Originals that are kept open: more are not worth all descriptors.
static constexpr size_t MostKept = 400;
static constexpr size_t MostTargets = 100000;

void Leaks::keepOriginal(const Substitution &S) {
  Versions.insert({S.StoreIdentity.Device, S.StoreIdentity.Inode});
  const auto Before = All.find(S.Original);
  // A file that was written again while the command runs has another version.
  if (Before != All.end() ? Before->second.Version.StoreFile == S.StoreFile
                          : All.size() >= MostKept)
    return;
  All[S.Original] = {
      S, Descriptor(open(S.Original.c_str(), O_RDONLY | O_CLOEXEC))};
}

/// The absolute path of \p Word, or of the value of an option. Links are not
/// resolved: the file may not exist yet.
static std::string absolute(const std::string &Folder, std::string Word) {
  if (Word.starts_with("--") && Word.find('=') != Word.npos)
    Word = Word.substr(Word.find('=') + 1);
  return Word.starts_with("/") ? Word : Folder + "/" + Word;
}

void Leaks::consider(const Started &Program) {
  if (Program.Words.empty() || Targets.size() > MostTargets)
    return;
  std::vector<std::string> Words;
  for (const std::string &Word : drop_begin(Program.Words))
    Words.push_back(absolute(Program.Folder, Word));
  std::set<std::string> Seen;
  for (const std::string &Word : Words) {
    char Real[PATH_MAX];
    if (!realpath(Word.c_str(), Real) || !Seen.insert(Real).second)
      continue;
    for (const auto &[Original, C] : All)
      if (Original == Real ||
          StringRef(Original).starts_with(std::string(Real) + "/"))
        addTargets(Original, Real, Words);
  }
}

/// Adds the names that cp, install and mv may give their copy of \p Source.
void Leaks::addTargets(const std::string &Original, const std::string &Source,
                       const std::vector<std::string> &Words) {
  const std::string Below = Original.substr(Source.size());
  const std::string Name = sys::path::filename(Source).str();
  for (const std::string &To : Words) {
    if (Targets.size() > MostTargets)
      return;
    Targets.insert({To + Below, Original});
    Targets.insert({To + "/" + Name + Below, Original});
  }
}

/// Copies all of a file into another one that is open. An errno, or 0.
static int copyOver(int From, int To) {
  char Bytes[1 << 16];
  off_t At = 0;
  for (ssize_t Got; (Got = pread(From, Bytes, sizeof(Bytes), At)) != 0;) {
    if (Got < 0 || pwrite(To, Bytes, size_t(Got), At) != Got)
      return Got < 0 ? errno : ENOSPC;
    At += Got;
  }
  return ftruncate(To, At) || fsync(To) ? errno : 0;
}

namespace {
/// Capabilities that setcap has given a file. Writing to it removes them.
class Capabilities {
public:
  explicit Capabilities(int File)
      : Size(fgetxattr(File, Name, Bytes, sizeof(Bytes))) {}
  void restore(int File) const {
    if (Size > 0)
      fsetxattr(File, Name, Bytes, size_t(Size), 0);
  }

private:
  static constexpr const char *Name = "security.capability";
  char Bytes[64];
  ssize_t Size;
};
} // namespace

/// The file that \p Status is of, even if its rights forbid to write to it.
/// The rights are restored if it cannot be opened. The target of a link is
/// another file, whose rights must not change.
static Descriptor openToWrite(const std::string &Path,
                              const struct stat &Status) {
  const Descriptor Found(open(Path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat Now;
  if (!Found || fstat(Found.number(), &Now))
    return Descriptor();
  if (!S_ISREG(Now.st_mode) || Now.st_ino != Status.st_ino ||
      Now.st_dev != Status.st_dev) {
    errno = S_ISLNK(Now.st_mode) ? ELOOP : ESTALE;
    return Descriptor();
  }
  // There is no other name for what a descriptor of this kind is of.
  const std::string Same = "/proc/self/fd/" + std::to_string(Found.number());
  const bool IsLocked = !(Status.st_mode & S_IWUSR);
  if (IsLocked)
    chmod(Same.c_str(), (Status.st_mode & 07777) | S_IWUSR);
  Descriptor File(open(Same.c_str(), O_RDWR | O_CLOEXEC));
  const int Code = errno;
  if (!File && IsLocked)
    chmod(Same.c_str(), Status.st_mode & 07777);
  errno = Code;
  return File;
}

/// A sentence if it was a copy.
std::string Leaks::mendFile(const std::string &Path, const Covered &C) {
  struct stat Status, Original;
  if (stat(Path.c_str(), &Status) || !S_ISREG(Status.st_mode) ||
      Status.st_size != C.Version.StoreIdentity.Size)
    return "";
  // A version itself, in the store or in the place of this file or of a copy.
  if (Versions.count({int64_t(Status.st_dev), int64_t(Status.st_ino)}))
    return "";
  Expected<HashedFile> Hashed = hashFile(Path);
  if (!Hashed) {
    consumeError(Hashed.takeError());
    return "";
  }
  if (Hashed->Content != sys::path::filename(C.Version.StoreFile))
    return "";
  const std::string Message =
      Path + ": is a copy of the instrumented version of " + C.Version.Original;
  if (!C.Original || fstat(C.Original.number(), &Original))
    return Message + "; copy it again";
  Descriptor File = openToWrite(Path, Status);
  if (!File)
    return Message + ", and cannot be mended (" + strerror(errno) +
           "); copy it again";
  const Capabilities Given(File.number());
  const int Wrong = copyOver(C.Original.number(), File.number());
  // Rights that a copy of the original would have. Writing has changed them.
  Given.restore(File.number());
  fchmod(File.number(), Status.st_mode & 07777);
  const bool HasTimeOfVersion =
      FileIdentity::of(Status).ModifyTime == C.Version.StoreIdentity.ModifyTime;
  const timespec Times[] = {Status.st_atim, HasTimeOfVersion ? Original.st_mtim
                                                             : Status.st_mtim};
  futimens(File.number(), Times);
  if (Wrong)
    return Message + ", and cannot be mended (" + strerror(Wrong) +
           "); copy it again";
  return Path +
         ": was copied while the instrumented version was in the place "
         "of " +
         C.Version.Original + "; it has the original's content now";
}

std::vector<std::string> Leaks::mend() {
  std::vector<std::string> Sentences;
  for (const auto &[Path, Original] : Targets)
    if (std::string Text = mendFile(Path, All[Original]); !Text.empty())
      Sentences.push_back(Text);
  Targets.clear();
  return Sentences;
}
