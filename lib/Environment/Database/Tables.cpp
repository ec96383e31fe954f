//===- Database/Tables.cpp - The rows of all tables -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes the rows of the tables. Each function runs one statement, or
// two that belong together; errors stay in the connection.
//
// 1. Names: modes, kinds and methods become text, and text becomes these.
//    Unknown methods are counters.
// 2. Applications are found by name or by their main image; a name wins.
// 3. Images are entered by path. putImage also notes the content in the path's
//    history; removeLonelyImages keeps images with a profile.
// 4. Versions are added, never changed. newestVersion leaves out those that
//    could not be made.
// 5. Runs, profiles and results: lists have the newest first, but results are
//    by name.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include <ctime>

using namespace llvm;
using namespace graupel::environment;

static const char *const ModeNames[] = {"original", "instrumented",
                                        "optimized"};

StringRef graupel::environment::name(Mode M) { return ModeNames[int(M)]; }

StringRef graupel::environment::name(Kind K) {
  return K == Kind::Instrumented ? "instrumented" : "optimized";
}

static const char *const MethodNames[] = {"counters", "branch samples",
                                          "samples", "imported"};

StringRef graupel::environment::name(Method M) { return MethodNames[int(M)]; }

static Method methodFromName(StringRef Name) {
  for (Method M : {Method::BranchSamples, Method::Samples, Method::Imported})
    if (Name == name(M))
      return M;
  return Method::Counters;
}

std::optional<Mode> graupel::environment::modeFromName(StringRef Name) {
  for (Mode M : {Mode::Original, Mode::Instrumented, Mode::Optimized})
    if (Name == name(M))
      return M;
  return std::nullopt;
}

Mode graupel::environment::modeOf(Kind K) {
  return K == Kind::Instrumented ? Mode::Instrumented : Mode::Optimized;
}

int64_t graupel::environment::now() { return time(nullptr); }

// --- Applications ------------------------------------------------------------

#define APPLICATION "applications.id, name, main, mode, applications.registered"

static Application readApplication(Statement &S) {
  return {S.integer(0), S.text(1), S.text(2),
          modeFromName(S.text(3)).value_or(Mode::Original), S.integer(4)};
}

std::vector<Application> graupel::environment::applications(Connection &DB) {
  Statement S(DB, "SELECT " APPLICATION " FROM applications ORDER BY name");
  return S.rows(readApplication);
}

std::optional<Application>
graupel::environment::findApplication(Connection &DB, StringRef Text) {
  Statement S(DB, "SELECT " APPLICATION " FROM applications "
                  "WHERE name=? OR main=? ORDER BY name=? DESC");
  S << Text << Text << Text;
  return S.row(readApplication);
}

int64_t graupel::environment::addApplication(Connection &DB,
                                             const Application &A) {
  Statement S(DB, "INSERT INTO applications(name, main, mode, registered) "
                  "VALUES(?,?,?,?)");
  (S << A.Name << A.Main << name(A.Runs) << now()).run();
  return DB.lastId();
}

void graupel::environment::removeApplication(Connection &DB, int64_t Id) {
  Statement S(DB, "DELETE FROM applications WHERE id=?");
  (S << Id).run();
}

void graupel::environment::setMode(Connection &DB, int64_t Id, Mode M) {
  Statement S(DB, "UPDATE applications SET mode=? WHERE id=?");
  (S << name(M) << Id).run();
}

// --- Images ------------------------------------------------------------------

#define IMAGE                                                                  \
  "images.id, path, content, build_id, device, inode, size, mtime, ctime, "    \
  "unfit, images.registered"

static FileIdentity readIdentity(Statement &S, int First) {
  return {S.integer(First), S.integer(First + 1), S.integer(First + 2),
          S.integer(First + 3), S.integer(First + 4)};
}

static Image readImage(Statement &S) {
  Image I;
  I.Id = S.integer(0);
  I.Path = S.text(1);
  I.Content = S.text(2);
  I.BuildID = S.text(3);
  I.Identity = readIdentity(S, 4);
  I.Unfit = S.text(9);
  I.Registered = S.integer(10);
  return I;
}

std::vector<Image> graupel::environment::images(Connection &DB,
                                                int64_t Application) {
  Statement S(DB, "SELECT " IMAGE ", role FROM application_images "
                  "JOIN images ON images.id=image WHERE application=? "
                  "ORDER BY role!='main', unfit!='', path");
  S << Application;
  std::vector<Image> Result;
  while (S.next()) {
    Result.push_back(readImage(S));
    Result.back().Role = S.text(11);
  }
  return Result;
}

std::vector<Image> graupel::environment::allImages(Connection &DB) {
  Statement S(DB, "SELECT " IMAGE " FROM images WHERE id IN (SELECT image "
                  "FROM application_images) ORDER BY path");
  return S.rows(readImage);
}

std::optional<Image> graupel::environment::findImage(Connection &DB,
                                                     StringRef Path) {
  Statement S(DB, "SELECT " IMAGE " FROM images WHERE path=?");
  S << Path;
  return S.row(readImage);
}

static Statement &operator<<(Statement &S, const FileIdentity &I) {
  return S << I.Device << I.Inode << I.Size << I.ModifyTime << I.ChangeTime;
}

int64_t graupel::environment::putImage(Connection &DB, const Image &I) {
  Statement S(DB, "INSERT INTO images(path, content, build_id, device, inode, "
                  "size, mtime, ctime, unfit, registered) "
                  "VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(path) DO UPDATE SET "
                  "content=excluded.content, build_id=excluded.build_id, "
                  "device=excluded.device, inode=excluded.inode, "
                  "size=excluded.size, mtime=excluded.mtime, "
                  "ctime=excluded.ctime, unfit=excluded.unfit, "
                  "registered=excluded.registered RETURNING id");
  S << I.Path << I.Content << I.BuildID << I.Identity << I.Unfit << now();
  if (!S.next())
    return 0;
  const int64_t Id = S.integer(0);
  Statement History(DB, "INSERT INTO image_contents(image, content, since) "
                        "VALUES(?,?,?) ON CONFLICT DO UPDATE SET "
                        "since=excluded.since");
  (History << Id << I.Content << now()).run();
  return Id;
}

std::vector<std::string> graupel::environment::formerContents(Connection &DB,
                                                              const Image &I) {
  Statement S(DB, "SELECT content FROM image_contents WHERE image=? AND "
                  "content!=? ORDER BY since DESC");
  S << I.Id << I.Content;
  return S.rows([](Statement &Row) { return Row.text(0); });
}

void graupel::environment::setIdentity(Connection &DB, int64_t Image,
                                       const FileIdentity &Identity) {
  Statement S(DB, "UPDATE images SET device=?, inode=?, size=?, mtime=?, "
                  "ctime=? WHERE id=?");
  (S << Identity << Image).run();
}

bool graupel::environment::hasTwins(Connection &DB, StringRef Content) {
  Statement S(DB, "SELECT 1 FROM images WHERE content=? LIMIT 1 OFFSET 1");
  S << Content;
  return S.next();
}

bool graupel::environment::isOnlySeen(Connection &DB, int64_t Image) {
  Statement S(DB, "SELECT 1 FROM application_images WHERE image=? AND "
                  "role!='seen'");
  S << Image;
  return !S.next();
}

void graupel::environment::addToApplication(Connection &DB, int64_t Application,
                                            int64_t Image, StringRef Role) {
  // It may have been unregistered while a command of it runs.
  Statement S(DB, "INSERT OR IGNORE INTO application_images(application, "
                  "image, role) SELECT id, ?, ? FROM applications WHERE id=?");
  (S << Image << Role << Application).run();
}

std::vector<Application> graupel::environment::applicationsOf(Connection &DB,
                                                              int64_t Image) {
  Statement S(DB, "SELECT " APPLICATION " FROM application_images "
                  "JOIN applications ON applications.id=application "
                  "WHERE image=? ORDER BY name");
  S << Image;
  return S.rows(readApplication);
}

void graupel::environment::removeLonelyImages(Connection &DB) {
  DB.execute("DELETE FROM images WHERE id NOT IN "
             "(SELECT image FROM application_images) AND id NOT IN "
             "(SELECT image FROM image_contents JOIN profiles ON "
             "profiles.content=image_contents.content)");
}

// --- Versions ----------------------------------------------------------------

#define VERSION                                                                \
  "id, content, kind, store, build_id, size, tool, options, profile, made, "   \
  "seconds, failure"

static Version readVersion(Statement &S) {
  Version V;
  V.Id = S.integer(0);
  V.Content = S.text(1);
  V.VersionKind = S.text(2) == name(Kind::Instrumented) ? Kind::Instrumented
                                                        : Kind::Optimized;
  V.Store = S.text(3);
  V.BuildID = S.text(4);
  V.Size = S.integer(5);
  V.Tool = S.text(6);
  V.Options = S.text(7);
  V.Profile = S.text(8);
  V.Made = S.integer(9);
  V.Seconds = S.real(10);
  V.Failure = S.text(11);
  return V;
}

std::vector<Version> graupel::environment::versions(Connection &DB,
                                                    StringRef Content) {
  Statement S(DB, "SELECT " VERSION " FROM versions WHERE content=? "
                  "ORDER BY id DESC");
  S << Content;
  return S.rows(readVersion);
}

std::optional<Version>
graupel::environment::newestVersion(Connection &DB, StringRef Content, Kind K) {
  Statement S(DB, "SELECT " VERSION " FROM versions WHERE content=? AND kind=? "
                  "AND store!='' ORDER BY id DESC LIMIT 1");
  S << Content << name(K);
  return S.row(readVersion);
}

std::string graupel::environment::originalOf(Connection &DB, StringRef Store) {
  Statement S(DB, "SELECT content FROM versions WHERE store=?");
  S << Store;
  return S.next() ? S.text(0) : std::string();
}

int64_t graupel::environment::addVersion(Connection &DB, const Version &V) {
  Statement S(DB, "INSERT INTO versions(content, kind, store, build_id, size, "
                  "tool, options, profile, made, seconds, failure) "
                  "VALUES(?,?,?,?,?,?,?,?,?,?,?)");
  (S << V.Content << name(V.VersionKind) << V.Store << V.BuildID << V.Size
     << V.Tool << V.Options << V.Profile << now() << V.Seconds << V.Failure)
      .run();
  return DB.lastId();
}

std::string graupel::environment::usedProfile(Connection &DB, int64_t Version) {
  Statement S(DB, "SELECT bytes FROM used_profiles WHERE version=?");
  S << Version;
  return S.next() ? S.text(0) : std::string();
}

void graupel::environment::setUsedProfile(Connection &DB, int64_t Version,
                                          StringRef Bytes) {
  Statement S(DB, "INSERT OR REPLACE INTO used_profiles(version, bytes) "
                  "VALUES(?,?)");
  (S << Version).bytes(Bytes).run();
}

std::optional<Checked> graupel::environment::checked(Connection &DB,
                                                     StringRef Store) {
  Statement S(DB, "SELECT device, inode, size, mtime, ctime, boot FROM checked "
                  "WHERE store=?");
  S << Store;
  if (!S.next())
    return std::nullopt;
  return Checked{readIdentity(S, 0), S.text(5)};
}

void graupel::environment::setChecked(Connection &DB, StringRef Store,
                                      const Checked &C) {
  Statement S(DB, "INSERT OR REPLACE INTO checked(store, device, inode, size, "
                  "mtime, ctime, boot) VALUES(?,?,?,?,?,?,?)");
  (S << Store << C.Identity << C.Boot).run();
}

// --- Runs, profiles, results -------------------------------------------------

std::vector<Run> graupel::environment::runs(Connection &DB, int64_t Application,
                                            int64_t Limit) {
  Statement S(DB,
              "SELECT id, application, command, mode, method, began, status, "
              "user_seconds, wall_seconds, counted, ended, "
              "(SELECT max(aged-at) FROM merged JOIN profiles ON profiles.id="
              "profile WHERE run=runs.id AND content IN (SELECT content FROM "
              "images)) FROM runs "
              "WHERE ?=0 OR application=? ORDER BY id DESC LIMIT ?");
  S << Application << Application << Limit;
  std::vector<Run> Result;
  while (S.next()) {
    Run R;
    R.Id = S.integer(0);
    R.Application = S.integer(1);
    R.Command = S.text(2);
    R.Mode = S.text(3);
    R.ProfileMethod = methodFromName(S.text(4));
    R.Began = S.integer(5);
    R.Status = S.integer(6);
    R.UserSeconds = S.real(7);
    R.WallSeconds = S.real(8);
    R.Counted = S.real(9);
    if (!S.isNull(10))
      R.Ended = S.integer(10);
    if (!S.isNull(11))
      R.Age = S.integer(11);
    Result.push_back(std::move(R));
  }
  return Result;
}

std::vector<ProfileRow> graupel::environment::profiles(Connection &DB,
                                                       StringRef Content) {
  Statement S(DB, "SELECT id, content, plan, method, files, first, last, aged "
                  "FROM profiles WHERE content=? ORDER BY last DESC, id DESC");
  S << Content;
  std::vector<ProfileRow> Result;
  while (S.next())
    Result.push_back({S.integer(0), S.text(1), S.text(2),
                      methodFromName(S.text(3)), S.integer(4), S.integer(5),
                      S.integer(6), S.integer(7)});
  return Result;
}

std::string graupel::environment::profileBytes(Connection &DB, int64_t Id) {
  Statement S(DB, "SELECT bytes FROM profiles WHERE id=?");
  S << Id;
  return S.next() ? S.text(0) : std::string();
}

std::vector<Result> graupel::environment::results(Connection &DB,
                                                  int64_t Version) {
  Statement S(DB, "SELECT name, value FROM results WHERE version=? "
                  "ORDER BY name");
  S << Version;
  std::vector<Result> All;
  while (S.next())
    All.push_back({S.text(0), S.real(1)});
  return All;
}

void graupel::environment::setResult(Connection &DB, int64_t Version,
                                     StringRef Name, double Value) {
  Statement S(DB, "INSERT OR REPLACE INTO results(version, name, value) "
                  "VALUES(?,?,?)");
  (S << Version << Name << Value).run();
}
