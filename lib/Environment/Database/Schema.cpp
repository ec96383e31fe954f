//===- Database/Schema.cpp - Tables and their migrations ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each change of the tables is a text of its own, in the order in which they
//    came. A new database gets all of them, an older one those that it lacks.
// 2. `application_id` tells our files from those of others; `user_version` is
//    how many of the texts a file has. Both change with the tables, in one
//    transaction.
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

using namespace llvm;
using namespace graupel::environment;

/// "Grpl": tells our files from other SQLite databases.
static constexpr int64_t ApplicationId = 0x4772706c;

static const char First[] = R"(
CREATE TABLE applications(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  main TEXT NOT NULL,
  mode TEXT NOT NULL CHECK(mode IN ('original', 'instrumented', 'optimized')),
  registered INTEGER NOT NULL);
CREATE TABLE images(
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL,
  build_id TEXT NOT NULL,
  device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
  mtime INTEGER NOT NULL, ctime INTEGER NOT NULL,
  unfit TEXT NOT NULL,
  registered INTEGER NOT NULL);
CREATE TABLE image_contents(
  image INTEGER NOT NULL REFERENCES images ON DELETE CASCADE,
  content TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY(image, content)) WITHOUT ROWID;
CREATE TABLE application_images(
  application INTEGER NOT NULL REFERENCES applications ON DELETE CASCADE,
  image INTEGER NOT NULL REFERENCES images ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY(application, image)) WITHOUT ROWID;
CREATE TABLE versions(
  id INTEGER PRIMARY KEY,
  content TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('instrumented', 'optimized')),
  store TEXT NOT NULL,
  build_id TEXT NOT NULL,
  size INTEGER NOT NULL,
  tool TEXT NOT NULL,
  options TEXT NOT NULL,
  profile TEXT NOT NULL,
  made INTEGER NOT NULL,
  seconds REAL NOT NULL,
  failure TEXT NOT NULL);
CREATE INDEX versions_by_content ON versions(content, kind);
CREATE INDEX versions_by_store ON versions(store);
CREATE TABLE checked(
  store TEXT PRIMARY KEY,
  device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
  mtime INTEGER NOT NULL, ctime INTEGER NOT NULL,
  boot TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER REFERENCES applications ON DELETE SET NULL,
  command TEXT NOT NULL,
  mode TEXT NOT NULL,
  began INTEGER NOT NULL,
  ended INTEGER,
  status INTEGER,
  user_seconds REAL,
  wall_seconds REAL);
CREATE TABLE profiles(
  id INTEGER PRIMARY KEY,
  content TEXT NOT NULL,
  plan TEXT NOT NULL,
  bytes BLOB NOT NULL,
  files INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  UNIQUE(content, plan));
CREATE TABLE merged(
  file TEXT PRIMARY KEY,
  profile INTEGER NOT NULL,
  run INTEGER NOT NULL,
  at INTEGER NOT NULL) WITHOUT ROWID;
)";

static const char Second[] = R"(
CREATE TABLE results(
  version INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY(version, name)) WITHOUT ROWID;
)";

/// Profiles that optimized versions were made with, to be compared with later
/// counts.
static const char Third[] = R"(
CREATE TABLE used_profiles(
  version INTEGER PRIMARY KEY REFERENCES versions ON DELETE CASCADE,
  bytes BLOB NOT NULL);
)";

/// The method of a profile, and the counts that runs have added to it. Counts
/// from before `aged` have been reweighted already.
static const char Fourth[] = R"(
ALTER TABLE profiles ADD COLUMN method TEXT NOT NULL DEFAULT 'counters'
  CHECK(method IN ('counters', 'branch samples', 'samples', 'imported'));
UPDATE profiles SET method='imported' WHERE plan='foreign';
ALTER TABLE profiles ADD COLUMN aged INTEGER NOT NULL DEFAULT 0;
UPDATE profiles SET aged=last;
ALTER TABLE runs ADD COLUMN method TEXT NOT NULL DEFAULT 'counters'
  CHECK(method IN ('counters', 'branch samples', 'samples'));
ALTER TABLE runs ADD COLUMN counted REAL NOT NULL DEFAULT 0;
CREATE INDEX merged_by_run ON merged(run);
)";

/// Times of a command, six numbers a round; see Actions/Measurements.h.
static const char Fifth[] = R"(
CREATE TABLE measurements(
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES applications ON DELETE CASCADE,
  command TEXT NOT NULL,
  at INTEGER NOT NULL,
  versions TEXT NOT NULL,
  rounds TEXT NOT NULL);
CREATE INDEX measurements_by_application ON measurements(application);
)";

/// The parts that have been added to profiles, of files that processes still
/// count into.
static const char Sixth[] = R"(
CREATE TABLE counting(
  file TEXT PRIMARY KEY,
  bytes BLOB NOT NULL,
  at INTEGER NOT NULL) WITHOUT ROWID;
)";

/// The data needed to run a measured command again.
static const char Seventh[] = R"(
ALTER TABLE measurements ADD COLUMN arguments TEXT NOT NULL DEFAULT '';
ALTER TABLE measurements ADD COLUMN folder TEXT NOT NULL DEFAULT '';
)";

/// Choices for single images, regardless of the mode of their applications:
/// `store` is a version's, or empty for the newest. And the files by which
/// programs and units start with `graupel run`, to be removed again.
static const char Eighth[] = R"(
CREATE TABLE choices(
  image INTEGER PRIMARY KEY REFERENCES images ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK(mode IN ('original', 'instrumented', 'optimized')),
  store TEXT NOT NULL);
CREATE TABLE starters(
  file TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES applications ON DELETE CASCADE,
  unit TEXT NOT NULL,
  program TEXT NOT NULL,
  text TEXT NOT NULL,
  folder TEXT NOT NULL,
  at INTEGER NOT NULL) WITHOUT ROWID;
)";

ArrayRef<const char *> graupel::environment::migrations() {
  static const char *const All[] = {First, Second, Third,   Fourth,
                                    Fifth, Sixth,  Seventh, Eighth};
  return All;
}

static int64_t pragma(Connection &DB, const char *SQL) {
  Statement S(DB, SQL);
  return S.next() ? S.integer(0) : 0;
}

static int64_t countTables(Connection &DB) {
  return pragma(DB, "SELECT count(*) FROM sqlite_schema");
}

static void setPragma(Connection &DB, const char *Name, int64_t Value) {
  DB.execute(
      (std::string("PRAGMA ") + Name + "=" + std::to_string(Value)).c_str());
}

/// Whether the file is ours, or empty, and how far it is.
static Expected<size_t> currentVersion(Connection &DB, size_t Newest) {
  // In this order: whoever makes the first tables meanwhile commits all three.
  const int64_t Tables = countTables(DB);
  const int64_t Id = pragma(DB, "PRAGMA application_id");
  const int64_t Version = pragma(DB, "PRAGMA user_version");
  if (Error E = DB.check())
    return E;
  if (Id != ApplicationId && Tables)
    return createStringError(DB.path() + ": it is a database of another "
                                         "program; move it away");
  if (size_t(Version) > Newest)
    return createStringError(
        DB.path() + ": a newer graupel has made it (version " +
        std::to_string(Version) + " of its tables, this one knows " +
        std::to_string(Newest) + "); use that one");
  return size_t(Version);
}

Error graupel::environment::prepareSchema(Connection &DB, size_t To) {
  const size_t Newest = migrations().size();
  Expected<size_t> Version = currentVersion(DB, Newest);
  if (!Version)
    return Version.takeError();
  if (*Version >= To)
    return Error::success();
  if (DB.access() == Access::ReadOnly)
    return createStringError(
        DB.path() + ": an older graupel has made it, and it cannot be brought "
                    "up to date here; make its folder writable");
  Transaction T(DB);
  // Somebody else may have been faster.
  Version = currentVersion(DB, Newest);
  if (!Version)
    return Version.takeError();
  for (size_t I = *Version; I < To; ++I)
    DB.execute(migrations()[I]);
  if (*Version < To) {
    setPragma(DB, "application_id", ApplicationId);
    setPragma(DB, "user_version", int64_t(To));
  }
  return T.commit();
}

Error graupel::environment::prepareSchema(Connection &DB) {
  return prepareSchema(DB, migrations().size());
}
