//===- Store/Store.cpp - Files by what is in them -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Store.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <fcntl.h>
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

/// What is in a folder, or file, is on the disk.
static Error flush(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return cannotWrite(Path, errno);
  const int Code = fsync(File) == 0 ? 0 : errno;
  close(File);
  return Code ? cannotWrite(Path, Code) : Error::success();
}

Expected<std::string> Store::temporary() {
  const std::string Making = Folder + "/making";
  if (Error E = makeFolder(Making))
    return E;
  std::string Name = Making + "/XXXXXX";
  const int File = mkstemp(Name.data());
  if (File < 0)
    return cannotWrite(Making, errno);
  close(File);
  return Name;
}

std::string Store::path(StringRef Name) const {
  return (Folder + "/" + Name.take_front(2) + "/" + Name).str();
}

Expected<std::string> Store::take(const std::string &Temporary, mode_t Mode) {
  Expected<HashedFile> Hashed = hashFile(Temporary);
  if (!Hashed)
    return Hashed.takeError();
  const std::string To = path(Hashed->Content);
  const std::string Parent = sys::path::parent_path(To).str();
  if (Error E = makeFolder(Parent))
    return E;
  if (chmod(Temporary.c_str(), (Mode & 0777) | 0400) != 0)
    return cannotWrite(Temporary, errno);
  if (Error E = flush(Temporary))
    return E;
  if (rename(Temporary.c_str(), To.c_str()) != 0)
    return cannotWrite(To, errno);
  if (Error E = flush(Parent))
    return E;
  return Hashed->Content;
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
                    It->path(), Status.st_size, Status.st_mtime});
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
