//===- Environment.cpp - Database and store of a user ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "Database/Schema.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

/// The variable's value if it is an absolute path: others are to be ignored.
static std::string folderFrom(const char *Variable) {
  const char *Value = getenv(Variable);
  return Value && Value[0] == '/' ? Value : "";
}

Expected<Locations> Locations::find() {
  std::string Base = folderFrom("XDG_STATE_HOME");
  if (Base.empty()) {
    std::string Home = folderFrom("HOME");
    if (Home.empty())
      if (const passwd *User = getpwuid(getuid()))
        Home = User->pw_dir;
    if (Home.empty())
      return createStringError("there is no home folder to keep the database "
                               "in; set XDG_STATE_HOME or HOME");
    Base = Home + "/.local/state";
  }
  return in(Base + "/graupel");
}

Locations Locations::in(StringRef State) {
  Locations L;
  // Processes that are elsewhere get these paths.
  SmallString<256> Whole(State);
  sys::fs::make_absolute(Whole);
  L.State = std::string(Whole);
  L.Database = L.State + "/graupel.db";
  L.Store = L.State + "/store";
  L.Spool = L.State + "/spool";
  L.Locks = L.State + "/locks";
  L.Places = L.State + "/places";
  L.Reports = L.State + "/reports";
  return L;
}

/// "it belongs to root", or what else \p Why says.
static std::string whyUnreadable(const std::string &Path, int Why) {
  struct stat Facts;
  if (lstat(Path.c_str(), &Facts) != 0 || Facts.st_uid == getuid())
    return strerror(Why);
  const passwd *Owner = getpwuid(Facts.st_uid);
  return "it belongs to " + (Owner ? std::string(Owner->pw_name)
                                   : "user " + std::to_string(Facts.st_uid));
}

Error graupel::environment::checkReadable(const Locations &L) {
  for (const std::string &Path : {L.State, L.Database}) {
    if (access(Path.c_str(), Path == L.State ? R_OK | X_OK : R_OK) == 0)
      continue;
    const int Why = errno;
    if (Why == ENOENT)
      return Error::success();
    return createStringError(Path +
                             ": cannot be read: " + whyUnreadable(Path, Why) +
                             "; set XDG_STATE_HOME to a folder of your own");
  }
  return Error::success();
}

static Error makeFolders(const Locations &L) {
  for (const std::string &Folder : {L.State, L.Store, L.Spool, L.Locks})
    if (std::error_code EC = sys::fs::create_directories(
            Folder, /*IgnoreExisting=*/true, sys::fs::perms::owner_all))
      return createStringError(Folder + ": cannot be made: " + EC.message() +
                               "; set XDG_STATE_HOME to a folder that can be "
                               "written");
  return Error::success();
}

/// Whether the database can be changed, or made.
static bool mayWrite(const Locations &L) {
  for (const std::string &Path : {L.State, L.Database})
    if (access(Path.c_str(), F_OK) == 0 && access(Path.c_str(), W_OK) != 0)
      return false;
  return true;
}

Environment::Environment(Locations L, Connection DB)
    : Places(std::move(L)), DB(std::move(DB)), Files(Places.Store) {}

Expected<std::unique_ptr<Environment>> Environment::open(Access A) {
  Expected<Locations> L = Locations::find();
  if (!L)
    return L.takeError();
  return open(*L, A);
}

Expected<std::unique_ptr<Environment>>
Environment::openToLook(const Locations &L) {
  return open(L, mayWrite(L) ? Access::ReadWrite : Access::ReadOnly);
}

Expected<std::unique_ptr<Environment>> Environment::openToLook() {
  Expected<Locations> L = Locations::find();
  if (!L)
    return L.takeError();
  return openToLook(*L);
}

Expected<std::unique_ptr<Environment>> Environment::open(const Locations &L,
                                                         Access A) {
  if (Error E = checkReadable(L))
    return E;
  if (A == Access::ReadWrite) {
    if (Error E = makeFolders(L))
      return E;
  } else if (access(L.Database.c_str(), F_OK) != 0) {
    return createStringError(L.Database + ": there is no database yet; "
                                          "`graupel register` makes one");
  }
  Expected<Connection> DB = Connection::open(L.Database, A);
  if (!DB)
    return DB.takeError();
  if (Error E = prepareSchema(*DB))
    return E;
  return std::unique_ptr<Environment>(new Environment(L, std::move(*DB)));
}
