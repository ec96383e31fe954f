//===- Build/State.cpp - The state folder of a build ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. A folder that has something in it is used if a file in it says that it
//      is a state, or if it has all that older versions have made, which wrote
//      no such file. Files in other folders stay unchanged.
//   2. It must belong to its user, and have no symbolic links: a project that
//      comes from elsewhere may have brought it.
//   3. A file `lock` in the folder is locked as long as the process lives,
//      however it ends. Children do not inherit it.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;

static const char *const Folders[] = {"unstripped",   "plain",    "placed",
                                      "instrumented", "profiles", "optimized"};
static constexpr StringRef Marker = "graupel-build-state", Ignored = "*\n";

static Error cannotMake(const std::string &Path, int Code) {
  return createStringError(Path + ": cannot be made: " + strerror(Code) +
                           "; give --state a folder that can be written");
}

/// Whether \p Path itself is of one kind.
static bool isA(mode_t Kind, const std::string &Path) {
  struct stat Status;
  return lstat(Path.c_str(), &Status) == 0 && (Status.st_mode & S_IFMT) == Kind;
}

/// Older versions made all of this before anything else.
static bool isOfOlderVersion(const std::string &State) {
  for (StringRef Name : Folders)
    if (!isA(S_IFDIR, State + "/" + Name.str()))
      return false;
  struct stat Lock;
  auto Ignore = MemoryBuffer::getFile(State + "/.gitignore");
  return isA(S_IFREG, State + "/lock") &&
         stat((State + "/lock").c_str(), &Lock) == 0 && Lock.st_size == 0 &&
         Ignore && (*Ignore)->getBuffer() == Ignored;
}

/// Nothing is changed before this has looked.
static Error check(const std::string &State) {
  struct stat Status;
  if (stat(State.c_str(), &Status))
    return cannotMake(State, errno);
  if (!S_ISDIR(Status.st_mode))
    return createStringError(State + ": is no folder; give --state one");
  if (Status.st_uid != geteuid())
    return createStringError(State + ": belongs to another user; give --state "
                                     "a folder of yours");
  std::error_code EC;
  bool IsEmpty = true;
  for (sys::fs::directory_iterator I(State, EC), End; I != End && !EC;
       I.increment(EC)) {
    IsEmpty = false;
    if (isA(S_IFLNK, I->path()))
      return createStringError(I->path() +
                               ": is a symbolic link, which `graupel build` "
                               "does not make; if the state is not yours, "
                               "remove " +
                               State);
  }
  if (EC)
    return createStringError(State + ": cannot be read: " + EC.message() +
                             "; check your rights there");
  if (IsEmpty || isA(S_IFREG, State + "/" + Marker.str()) ||
      isOfOlderVersion(State))
    return Error::success();
  return createStringError(State + ": has something in it that is not of "
                                   "`graupel build`; give --state a folder "
                                   "that is new or empty");
}

/// Makes a file unless it exists.
static Error makeFile(const std::string &Path, StringRef Text) {
  const int File =
      open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (File < 0)
    return errno == EEXIST ? Error::success() : cannotMake(Path, errno);
  const bool IsWritten =
      write(File, Text.data(), Text.size()) == ssize_t(Text.size());
  const int Code = errno;
  close(File);
  return IsWritten ? Error::success() : cannotMake(Path, Code);
}

/// The marker first: whoever is killed leaves a folder that is ours.
static Error prepare(const std::string &State) {
  if (std::error_code EC = sys::fs::create_directories(State))
    return cannotMake(State, EC.value());
  if (Error Err = check(State))
    return Err;
  if (Error Err = makeFile(State + "/" + Marker.str(),
                           "The state of `graupel build`.\n"))
    return Err;
  for (StringRef Name : Folders)
    if (std::error_code EC =
            sys::fs::create_directories(State + "/" + Name.str()))
      return cannotMake(State, EC.value());
  return makeFile(State + "/.gitignore", Ignored);
}

Expected<StateLock> StateLock::take(const std::string &State) {
  if (Error Err = prepare(State))
    return std::move(Err);
  const std::string Path = State + "/lock";
  const int File =
      open(Path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (File < 0)
    return createStringError(Path + ": cannot be written: " + strerror(errno) +
                             "; give --state a folder that can be written");
  StateLock Lock(File);
  // Files that a killed process has left.
  auto clear = [&](StringRef Name) {
    sys::fs::remove_directories(State + "/" + Name.str());
    sys::fs::create_directories(State + "/" + Name.str());
  };
  if (flock(File, LOCK_EX | LOCK_NB) != 0)
    return createStringError(State + ": another `graupel build` works there; "
                                     "wait for it, or give --state another "
                                     "folder");
  clear("instrumented");
  clear("optimized");
  return Lock;
}

StateLock::~StateLock() {
  if (File >= 0)
    close(File);
}
