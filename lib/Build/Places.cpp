//===- Build/Places.cpp - Versions in place of outputs --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A version comes into its place by rename, so a path leads to the one or the
// other at any moment, and never to half of one:
//
//   1. The version is copied beside its place, with the rights, owner and times
//      of what is there: make must not take it for something newer.
//   2. The existing file gets a second name in the state folder (a copy where
//      no link can lead). So does the version: as long as it has a name its
//      inode belongs to no other file.
//   3. The journal is written, and on the disk.
//   4. The version is renamed to its place.
//
// Back again: if a path and the version's second name are one file, the kept
// one is renamed to the path, which is then the very file that it was. If they
// are not, something else was put there meanwhile, which stays. So it is in a
// copy of a project with its state folder (`cp -a`), whose journal names its
// own files.
//
// A journal may come with somebody else's project. Files that it would replace
// must lie in the project, or be named by a link; files that it would move or
// remove must lie in the state folder. All else is an error.
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Environment/Process/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "JSON/Parse.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;
using graupel::environment::FileIdentity;

static Error cannot(const std::string &Path, const char *Participle) {
  const int Code = errno;
  return createStringError(
      Path + ": cannot be " + Participle + ": " + strerror(Code) +
      (Code == ENOSPC ? "; free some space" : "; check your rights there"));
}

static Error copyWithAttributes(const std::string &From, const std::string &To,
                                const struct stat &Like) {
  if (std::error_code EC = sys::fs::copy_file(From, To))
    return createStringError(To + ": cannot be written: " + EC.message() +
                             "; free some space, or check your rights there");
  // A user who may not give files away stays their owner.
  if (chown(To.c_str(), Like.st_uid, Like.st_gid))
    (void)!chown(To.c_str(), uid_t(-1), Like.st_gid);
  const timespec Times[] = {Like.st_atim, Like.st_mtim};
  if (chmod(To.c_str(), Like.st_mode & 07777) ||
      utimensat(AT_FDCWD, To.c_str(), Times, 0))
    return cannot(To, "written");
  return Error::success();
}

/// A second name, or a copy.
static Error linkOrCopy(const std::string &From, const std::string &To) {
  if (link(From.c_str(), To.c_str()) == 0)
    return Error::success();
  struct stat Status;
  if (stat(From.c_str(), &Status))
    return cannot(From, "read");
  return copyWithAttributes(From, To, Status);
}

static std::string besideOf(const std::string &Path) {
  return sys::path::parent_path(Path).str() + "/.graupel-" +
         graupel::environment::randomHex(8);
}

Error graupel::build::replaceContent(const std::string &Path,
                                     const std::string &By) {
  struct stat Status;
  if (lstat(Path.c_str(), &Status))
    return cannot(Path, "read");
  const std::string Beside = besideOf(Path);
  Error Err = copyWithAttributes(By, Beside, Status);
  if (!Err && rename(Beside.c_str(), Path.c_str()))
    Err = cannot(Path, "replaced");
  if (Err)
    unlink(Beside.c_str());
  return Err;
}

std::string Places::fresh(StringRef Folder) const {
  return State + "/" + Folder.str() + "/" + environment::randomHex(8);
}

/// It is the same file as its second name, where there is one. Else it has the
/// inode that was noted, and the same time and size.
static bool isIn(const Place &P) {
  struct stat Status, Held;
  if (lstat(P.Path.c_str(), &Status) || !S_ISREG(Status.st_mode))
    return false;
  if (!P.Held.empty())
    return lstat(P.Held.c_str(), &Held) == 0 && Held.st_ino == Status.st_ino &&
           Held.st_dev == Status.st_dev;
  FileIdentity Now = FileIdentity::of(Status);
  Now.ChangeTime = 0;
  return Now == P.Ours;
}

//===--- The journal ------------------------------------------------------===//

static std::string journal(const std::string &State) {
  return State + "/places.json";
}

Error Places::write() const {
  json::Array Entries;
  for (const Place &P : All)
    Entries.push_back(json::Object{{"path", storedPath(State, P.Path)},
                                   {"plain", storedPath(State, P.Plain)},
                                   {"held", storedPath(State, P.Held)},
                                   {"temporary", P.IsTemporary},
                                   {"device", P.Ours.Device},
                                   {"inode", P.Ours.Inode},
                                   {"size", P.Ours.Size},
                                   {"modified", P.Ours.ModifyTime}});
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Entries)) << "\n";
  const std::string New = fresh("plain");
  const int File =
      ::open(New.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool IsWritten =
      File >= 0 &&
      ::write(File, Text.data(), Text.size()) == ssize_t(Text.size()) &&
      fsync(File) == 0;
  Error Err = IsWritten ? Error::success() : cannot(New, "written");
  if (File >= 0)
    close(File);
  if (IsWritten && rename(New.c_str(), journal(State).c_str()))
    Err = cannot(journal(State), "written");
  if (Err)
    unlink(New.c_str());
  return Err;
}

/// Whether \p Path is a name in a folder of the state.
static bool isNamedIn(const std::string &Folder, StringRef Path) {
  return Path.consume_front(Folder + "/") && !Path.empty() && Path != "." &&
         Path != ".." && !Path.contains('/');
}

/// Where outputs may be: beside the state folder and below, in this folder, and
/// where links have left some.
static bool isOfProject(const std::string &State, const std::string &Path) {
  const std::string Real = throughLinks(Path);
  for (const StringRef Folder :
       {sys::path::parent_path(State), StringRef(".")}) {
    SmallString<256> Project;
    if (!sys::fs::real_path(Folder, Project) &&
        StringRef(Real).starts_with(Project.str().str() + "/"))
      return true;
  }
  return any_of(links(State),
                [&](const Link &L) { return throughLinks(L.Output) == Real; });
}

/// Refuses entries outside of the project. An entry whose version is not in its
/// place does no harm, wherever that is.
static Error check(const std::string &State, const Place &P) {
  const bool IsKept = isNamedIn(State + "/plain", P.Plain) &&
                      (P.Held.empty() || isNamedIn(State + "/placed", P.Held));
  if (IsKept && (!isIn(P) || isOfProject(State, P.Path)))
    return Error::success();
  return createStringError(
      journal(State) + ": names " +
      (IsKept ? P.Path + ", which is outside of the project"
              : P.Plain + " and " + P.Held + ", which are not in " + State) +
      "; run this where `graupel build` ran or, if the state is not yours, "
      "remove " +
      State);
}

Error Places::open() {
  All.clear();
  auto Buffer = MemoryBuffer::getFile(journal(State));
  if (!Buffer)
    return Error::success();
  Expected<json::Value> Root = graupel::parseJSON((*Buffer)->getBuffer());
  const json::Array *Entries = Root ? Root->getAsArray() : nullptr;
  if (!Root)
    consumeError(Root.takeError());
  if (!Entries)
    return createStringError(
        journal(State) + ": is damaged; what was linked is in " + State +
        "/plain: move it back by hand, and remove " + State);
  for (const json::Value &V : *Entries) {
    const json::Object *O = V.getAsObject();
    if (!O)
      continue;
    auto path = [&](StringRef Name) {
      return pathOf(State, O->getString(Name).value_or(""));
    };
    auto number = [&](StringRef Name) {
      return O->getInteger(Name).value_or(-1);
    };
    Place P{path("path"),
            path("plain"),
            path("held"),
            O->getBoolean("temporary").value_or(true),
            {number("device"), number("inode"), number("size"),
             number("modified"), 0}};
    if (Error Err = check(State, P))
      return Err;
    All.push_back(std::move(P));
  }
  return Error::success();
}

//===--- There and back ---------------------------------------------------===//

bool Places::anyTemporary() const {
  return any_of(All, [](const Place &P) { return P.IsTemporary; });
}

bool Places::isOurs(const std::string &Path) const {
  for (const Place &P : All)
    if (P.Path == Path && isIn(P))
      return true;
  return false;
}

/// Copies a version beside each name of a file, and keeps that. All names of
/// one file will be names of one file again.
Error Places::stage(const Copy &C, const Replacement &R,
                    std::vector<std::string> &Beside) {
  std::string First;
  for (const std::string &Path : C.Paths) {
    struct stat Now;
    if (lstat(Path.c_str(), &Now) || Now.st_size != C.Status.st_size ||
        nanoseconds(Now.st_mtim) != nanoseconds(C.Status.st_mtim))
      return createStringError(Path + ": has changed meanwhile; try again");
    Beside.push_back(besideOf(Path));
    Error Err = First.empty() ? copyWithAttributes(R.File, Beside.back(), Now)
                              : linkOrCopy(First, Beside.back());
    if (Err)
      return Err;
    First = Beside.back();
    Place P{Path, fresh("plain"), fresh("placed"), R.IsTemporary, {}};
    if (link(Beside.back().c_str(), P.Held.c_str()))
      P.Held.clear();
    if (Error E = linkOrCopy(Path, P.Plain))
      return E;
    Expected<FileIdentity> Made = FileIdentity::of(Beside.back());
    if (!Made)
      return Made.takeError();
    P.Ours = *Made;
    P.Ours.ChangeTime = 0; // A rename changes it.
    All.push_back(std::move(P));
  }
  return Error::success();
}

Error Places::put(ArrayRef<Replacement> Replacements) {
  const size_t Before = All.size();
  std::vector<std::string> Beside;
  Error Err = Error::success();
  for (const Replacement &R : Replacements)
    for (const Copy &C : R.Target->Copies)
      if (!Err)
        Err = stage(C, R, Beside);
  if (!Err)
    Err = write();
  for (size_t I = 0; I < Beside.size() && !Err; ++I)
    if (rename(Beside[I].c_str(), All[Before + I].Path.c_str()))
      Err = cannot(All[Before + I].Path, "replaced");
  if (!Err)
    return Err;
  for (const std::string &Path : Beside)
    unlink(Path.c_str());
  auto isNew = [&](const Place &P) { return &P >= All.data() + Before; };
  if (auto Back = restore(isNew); !Back)
    return joinErrors(std::move(Err), Back.takeError());
  return Err;
}

Expected<size_t> Places::restore(function_ref<bool(const Place &)> Which) {
  size_t Count = 0;
  Error Err = Error::success();
  std::vector<Place> Left, Done;
  for (const Place &P : All) {
    if (!Which(P)) {
      Left.push_back(P);
      continue;
    }
    if (!isIn(P)) {
      Done.push_back(P);
      continue;
    }
    const std::string Beside = besideOf(P.Path);
    Error E = linkOrCopy(P.Plain, Beside);
    if (!E && rename(Beside.c_str(), P.Path.c_str()))
      E = cannot(P.Path, "replaced");
    if (!E) {
      ++Count;
      Done.push_back(P);
      continue;
    }
    unlink(Beside.c_str());
    Left.push_back(P);
    Err = joinErrors(std::move(Err), std::move(E));
  }
  All = std::move(Left);
  Err = joinErrors(std::move(Err), write());
  if (Err)
    return std::move(Err);
  for (const Place &P : Done) {
    unlink(P.Plain.c_str());
    if (!P.Held.empty())
      unlink(P.Held.c_str());
  }
  return Count;
}

Expected<size_t>
Places::restoreFiles(function_ref<bool(const std::string &Path)> IsWanted) {
  std::set<std::pair<int64_t, int64_t>> Files;
  for (const Place &P : All)
    if (IsWanted(P.Path))
      Files.insert({P.Ours.Device, P.Ours.Inode});
  return restore([&](const Place &P) {
    return Files.count({P.Ours.Device, P.Ours.Inode}) != 0;
  });
}
