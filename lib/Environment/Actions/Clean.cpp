//===- Actions/Clean.cpp - Removes files that nobody needs any more -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clean.h"
#include "Database/Choices.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

static int64_t removeVersions(Connection &DB) {
  removeLonelyImages(DB);
  removeLonelyChoices(DB);
  DB.execute("DELETE FROM versions WHERE content NOT IN (SELECT content FROM "
             "images JOIN application_images ON image=images.id)");
  int64_t Removed = DB.changes();
  DB.execute("DELETE FROM versions WHERE id NOT IN (SELECT max(id) FROM "
             "versions GROUP BY content, kind, store='') AND store NOT IN "
             "(SELECT store FROM choices WHERE store!='')");
  return Removed + DB.changes();
}

/// The ids of files of counters that are there: a daemon may count into one for
/// months.
static std::set<std::string> spooledFiles(const Locations &L) {
  std::set<std::string> Ids;
  std::error_code EC;
  for (sys::fs::directory_iterator It(L.Spool, EC), End; !EC && It != End;
       It.increment(EC))
    Ids.insert(sys::path::filename(It->path()).split('=').second.str());
  return Ids;
}

/// Removes notes of files of counters that are gone and were noted long ago.
/// Without its note a file that is still there would count again.
static void removeOld(Connection &DB, const std::string &Table,
                      const std::set<std::string> &Spooled) {
  std::vector<std::string> Gone;
  const std::string Find = "SELECT file FROM " + Table + " WHERE at<?",
                    Forget = "DELETE FROM " + Table + " WHERE file=?";
  Statement S(DB, Find.c_str());
  S << now() - 90 * 24 * 3600;
  while (S.next())
    if (!Spooled.count(S.text(0)))
      Gone.push_back(S.text(0));
  for (const std::string &File : Gone) {
    Statement Remove(DB, Forget.c_str());
    (Remove << File).run();
  }
}

/// Removes notes of forgotten versions and of collected files.
static void removeNotes(Connection &DB, const Locations &L) {
  DB.execute("DELETE FROM checked WHERE store NOT IN "
             "(SELECT store FROM versions)");
  const std::set<std::string> Spooled = spooledFiles(L);
  removeOld(DB, "merged", Spooled);
  removeOld(DB, "counting", Spooled);
}

/// Tables of places that no start has used for a month: what runs has mapped
/// them, and what it starts without one is an original.
static void removePlaces(const Locations &L) {
  constexpr int64_t Month = 30 * 24 * 3600;
  std::error_code EC;
  for (sys::fs::directory_iterator It(L.Places, EC), End; !EC && It != End;
       It.increment(EC)) {
    struct stat Status;
    if (lstat(It->path().c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
        Status.st_mtime < now() - Month)
      unlink(It->path().c_str());
  }
}

/// Removes the manager page's reports on versions that are gone.
static void removeReports(const Locations &L,
                          const std::set<std::string> &Named) {
  std::error_code EC;
  for (sys::fs::directory_iterator It(L.Reports, EC), End; !EC && It != End;
       It.increment(EC))
    if (!Named.count(sys::path::filename(It->path()).split('.').first.str()))
      unlink(It->path().c_str());
}

static std::set<std::string> namedFiles(Connection &DB) {
  std::set<std::string> Names;
  Statement S(DB, "SELECT DISTINCT store FROM versions");
  while (S.next())
    Names.insert(S.text(0));
  return Names;
}

Expected<Cleaned> graupel::environment::collectGarbage(Environment &E,
                                                       int64_t Grace) {
  Connection &DB = E.database();
  Cleaned Result;
  // Before names are read: nobody adds any then.
  const auto Lock = E.store().lockOutMakers();
  std::set<std::string> Named;
  {
    Transaction T(DB);
    Result.Versions = removeVersions(DB);
    removeNotes(DB, E.locations());
    Named = namedFiles(DB);
    if (Error Err = T.commit())
      return Err;
  }
  if (Lock)
    for (const Store::Entry &File : E.store().removeAbandoned()) {
      ++Result.Files;
      Result.Bytes += File.Size;
    }
  removePlaces(E.locations());
  removeReports(E.locations(), Named);
  const int64_t Young = now() - Grace;
  for (const Store::Entry &File : E.store().list()) {
    const bool HasName = !File.Name.empty();
    const bool IsWanted = HasName && Named.count(File.Name);
    // A file without a name was put aside because it is damaged; somebody may
    // want to look at it.
    const bool Waits = !IsWanted && File.Changed > Young && !(Lock && HasName);
    if (IsWanted || Waits || unlink(File.Path.c_str()) != 0) {
      ++Result.Kept;
      Result.KeptBytes += File.Size;
      Result.Waiting += Waits;
    } else {
      ++Result.Files;
      Result.Bytes += File.Size;
    }
  }
  return Result;
}
