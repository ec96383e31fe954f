//===- Store/Store.cpp - Files by what is in them -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps files under the SHA-256 of their content.
//
// 1. temporary makes an empty file in the folder `making`, under a shared lock
//    that tells others that files are being made.
// 2. take hashes that file. If the store has a sound file of that content with
//    the same rights, it removes the new one.
// 3. Otherwise take sets its group, mode and time, flushes it, renames it to
//    its hash and flushes the folder.
// 4. giveTime sets the time of a file. giveRights takes a copy of a file with
//    other rights into the store.
// 5. verify accepts a file that is the same as when it was last hashed.
//    Otherwise it hashes the file, and moves one that is damaged to `bad`.
// 6. list shows all files. lockOutMakers takes the lock of step 1 alone, and
//    removeAbandoned then removes what killed makers have left.
//
//===----------------------------------------------------------------------===//

#include "Store.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

static Error cannotWrite(const std::string &Path, int Code) {
  const char *Advice =
      Code == ENOSPC || Code == EDQUOT || Code == EFBIG
          ? "free some space, `graupel gc` may help"
          : "check the rights of its folder, and that its file system is not "
            "mounted read-only";
  return createStringError(Path + ": cannot be written: " + strerror(Code) +
                           "; " + Advice);
}

static const char *const MakeAgain =
    "; `graupel optimize` (or `instrument`) makes it again";

static Error makeFolder(const std::string &Path) {
  if (std::error_code EC = sys::fs::create_directories(Path))
    return cannotWrite(Path, EC.value());
  return Error::success();
}

/// Waits until the content of a folder or file is on the disk.
static Error flush(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return cannotWrite(Path, errno);
  const int Code = fsync(File) == 0 ? 0 : errno;
  close(File);
  return Code ? cannotWrite(Path, Code) : Error::success();
}

static std::string placeOfMaking(const std::string &Folder) {
  return Folder + "/making";
}

/// Waits for those who clean up, which takes a moment.
Error Store::announce(const std::string &Place) {
  if (Making)
    return Error::success();
  substitution::Descriptor Opened(
      open(Place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!Opened)
    return cannotWrite(Place, errno);
  // Without locks nobody cleans up.
  (void)flock(Opened.number(), LOCK_SH);
  Making = std::move(Opened);
  return Error::success();
}

Expected<std::string> Store::temporary() {
  const std::string Place = placeOfMaking(Folder);
  if (Error E = makeFolder(Place))
    return E;
  if (Error E = announce(Place))
    return E;
  std::string Name = Place + "/XXXXXX";
  const int File = mkstemp(Name.data());
  if (File < 0)
    return cannotWrite(Place, errno);
  close(File);
  return Name;
}

bool Store::isName(StringRef Name) {
  return Name.size() == 64 && all_of(Name, isHexDigit);
}

std::string Store::path(StringRef Name) const {
  if (!isName(Name))
    return Folder + "/no-name/no-name";
  return (Folder + "/" + Name.take_front(2) + "/" + Name).str();
}

static mode_t modeOf(const struct stat &Original) {
  return (Original.st_mode & 0777) | 0400;
}

static bool hasRights(const std::string &Path, const struct stat &Original) {
  struct stat Status;
  return stat(Path.c_str(), &Status) == 0 &&
         (Status.st_mode & 07777) == modeOf(Original) &&
         (Status.st_gid == Original.st_gid || geteuid() != 0 ||
          (Status.st_mode >> 3 & 5) == (Status.st_mode & 5));
}

/// Whether \p Path is a sound copy of what \p Content names.
static bool isThere(const std::string &Path, StringRef Content) {
  Expected<HashedFile> Hashed = hashFile(Path);
  if (!Hashed) {
    consumeError(Hashed.takeError());
    return false;
  }
  return Hashed->Content == Content;
}

static bool setTime(const std::string &Path, const timespec &Modified) {
  const timespec Times[] = {{0, UTIME_OMIT}, Modified};
  return utimensat(AT_FDCWD, Path.c_str(), Times, 0) == 0;
}

Expected<std::string> Store::take(const std::string &Temporary,
                                  const struct stat &Original) {
  Expected<HashedFile> Hashed = hashFile(Temporary);
  if (!Hashed)
    return Hashed.takeError();
  const std::string To = path(Hashed->Content);
  const std::string Parent = sys::path::parent_path(To).str();
  if (Error E = makeFolder(Parent))
    return E;
  // Twins have the same image. It must stay the same file: others are about to
  // put it in place, and look whether it is what was recorded.
  if (hasRights(To, Original) && isThere(To, Hashed->Content)) {
    unlink(Temporary.c_str());
    return Hashed->Content;
  }
  // Only root starts programs as other users and groups. If it may not, what is
  // for a group is not put in place.
  if (geteuid() == 0 && chown(Temporary.c_str(), uid_t(-1), Original.st_gid))
    errno = 0;
  if (chmod(Temporary.c_str(), modeOf(Original)) != 0 ||
      !setTime(Temporary, Original.st_mtim))
    return cannotWrite(Temporary, errno);
  if (Error E = flush(Temporary))
    return E;
  if (rename(Temporary.c_str(), To.c_str()) != 0)
    return cannotWrite(To, errno);
  if (Error E = flush(Parent))
    return E;
  return Hashed->Content;
}

Error Store::giveTime(StringRef Name, int64_t Modified) {
  const std::string Path = path(Name);
  struct stat Now;
  if (stat(Path.c_str(), &Now) != 0 ||
      FileIdentity::of(Now).ModifyTime == Modified)
    return Error::success();
  constexpr int64_t Second = 1000000000;
  return setTime(Path, {Modified / Second, Modified % Second})
             ? Error::success()
             : cannotWrite(Path, errno);
}

Error Store::giveRights(StringRef Name, const struct stat &Original) {
  const std::string From = path(Name);
  if (access(From.c_str(), F_OK) != 0 || hasRights(From, Original))
    return Error::success();
  Expected<std::string> Copy = temporary();
  if (!Copy)
    return Copy.takeError();
  Error Err = Error::success();
  if (std::error_code EC = sys::fs::copy_file(From, *Copy))
    Err = joinErrors(std::move(Err), cannotWrite(*Copy, EC.value()));
  else
    Err = joinErrors(std::move(Err), take(*Copy, Original).takeError());
  unlink(Copy->c_str());
  return Err;
}

Expected<HashedFile> Store::verify(StringRef Name, const FileIdentity &Last) {
  const std::string Path = path(Name);
  if (access(Path.c_str(), F_OK) != 0 && errno == ENOENT)
    return createStringError(Path + ": is gone from the store" + MakeAgain);
  Expected<FileIdentity> Current = FileIdentity::of(Path);
  if (!Current)
    return Current.takeError();
  if (*Current == Last)
    return HashedFile{Name.str(), *Current};
  Expected<HashedFile> Hashed = hashFile(Path);
  if (!Hashed)
    return Hashed.takeError();
  if (Hashed->Content == Name)
    return Hashed;
  // Not removed: somebody may want to know what happened to it. If it cannot be
  // moved it is still not used.
  const std::string Bad = Folder + "/bad";
  if (Error E = makeFolder(Bad))
    consumeError(std::move(E));
  (void)rename(Path.c_str(), (Bad + "/" + Name).str().c_str());
  return createStringError(Path + ": is damaged and was moved to bad/" +
                           MakeAgain + "; check your disk");
}

static void addEntries(const std::string &Folder, bool IsNamed,
                       std::vector<Store::Entry> &To) {
  std::error_code EC;
  for (sys::fs::directory_iterator It(Folder, EC), End; !EC && It != End;
       It.increment(EC)) {
    struct stat Status;
    if (lstat(It->path().c_str(), &Status) == 0 && S_ISREG(Status.st_mode))
      To.push_back({IsNamed ? sys::path::filename(It->path()).str() : "",
                    It->path(), Status.st_size, Status.st_ctime});
  }
}

std::vector<Store::Entry> Store::list() const {
  std::vector<Entry> Result;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Folder, EC), End; !EC && It != End;
       It.increment(EC))
    addEntries(It->path(), sys::path::filename(It->path()).size() == 2, Result);
  return Result;
}

graupel::substitution::Descriptor Store::lockOutMakers() const {
  substitution::Descriptor Opened(
      open(placeOfMaking(Folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (Opened && flock(Opened.number(), LOCK_EX | LOCK_NB) != 0)
    return substitution::Descriptor();
  return Opened;
}

std::vector<Store::Entry> Store::removeAbandoned() const {
  std::vector<Entry> All;
  addEntries(placeOfMaking(Folder), /*IsNamed=*/false, All);
  erase_if(All, [](const Entry &E) { return unlink(E.Path.c_str()) != 0; });
  return All;
}
