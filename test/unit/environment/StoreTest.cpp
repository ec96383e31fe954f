//===- unit/environment/StoreTest.cpp ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Store/Store.h"
#include "Environment/Actions/Active.h"
#include "Environment/Actions/Clean.h"
#include "Folder.h"
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;
using llvm::toString;

namespace {

struct stat original(mode_t Mode) {
  struct stat Status = {};
  Status.st_mode = Mode;
  Status.st_gid = getegid();
  return Status;
}

std::string add(Store &S, llvm::StringRef Bytes) {
  const std::string Temporary = cantFail(S.temporary());
  write(Temporary, Bytes);
  return cantFail(S.take(Temporary, original(0755)));
}

/// As if it had been there for long.
void age(const std::string &Path) {
  const timeval Times[2] = {{1000000, 0}, {1000000, 0}};
  ASSERT_EQ(utimes(Path.c_str(), Times), 0);
}

TEST(Store, NamesFilesByWhatIsInThem) {
  Folder F;
  Store S(F / "store");
  const std::string Name = add(S, "hello");
  EXPECT_EQ(Name, sha256("hello"));
  EXPECT_EQ(Name, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b"
                  "9824");
  EXPECT_EQ(add(S, "hello"), Name);
  EXPECT_EQ(S.list().size(), 1u);
  EXPECT_EQ(cantFail(S.verify(Name, {})).Content, Name);
  EXPECT_EQ(std::filesystem::status(S.path(Name)).permissions(),
            std::filesystem::perms(0755));
}

TEST(Store, NamesAreNoPaths) {
  Folder F;
  Store S(F / "store");
  F.add("outside", "mine");
  EXPECT_TRUE(Store::isName(sha256("hello")));
  const std::string Long = "../outside" + std::string(54, '/');
  for (const std::string &Name :
       {std::string("../outside"), std::string("/../../outside"), F / "outside",
        std::string(), Long}) {
    EXPECT_FALSE(Store::isName(Name));
    EXPECT_EQ(S.path(Name), F / "store/no-name/no-name");
    auto Error = S.verify(Name, {}).takeError();
    EXPECT_NE(toString(std::move(Error)).find("gone from the store"),
              std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::exists(F / "outside"));
}

TEST(Store, GivesRights) {
  Folder F;
  Store S(F / "store");
  const std::string Name = add(S, "hello");
  const auto Before = FileIdentity::of(S.path(Name));
  cantFail(S.giveRights(Name, original(0755)));
  EXPECT_EQ(cantFail(FileIdentity::of(S.path(Name))), *Before);
  const int Opened = open(S.path(Name).c_str(), O_RDONLY);
  cantFail(S.giveRights(Name, original(0710)));
  EXPECT_EQ(std::filesystem::status(S.path(Name)).permissions(),
            std::filesystem::perms(0710));
  EXPECT_EQ(cantFail(S.verify(Name, {})).Content, Name);
  EXPECT_EQ(S.list().size(), 1u);
  struct stat Old;
  ASSERT_EQ(fstat(Opened, &Old), 0);
  EXPECT_EQ(Old.st_mode & 0777, 0755u);
  close(Opened);
}

TEST(Store, RemovesWhatNobodyMakesAnyMore) {
  Folder F;
  const Store S(F / "store");
  EXPECT_FALSE(S.lockOutMakers());
  std::string Left;
  {
    Store Maker(F / "store"), Another(F / "store");
    Left = cantFail(Maker.temporary());
    write(Left, "hello");
    add(Another, "kept");
    EXPECT_FALSE(S.lockOutMakers());
    EXPECT_FALSE(Another.lockOutMakers());
  }
  ASSERT_EQ(S.list().size(), 2u);
  EXPECT_TRUE(S.lockOutMakers());
  const std::vector<Store::Entry> Removed = S.removeAbandoned();
  ASSERT_EQ(Removed.size(), 1u);
  EXPECT_EQ(Removed[0].Path, Left);
  EXPECT_EQ(Removed[0].Size, 5);
  ASSERT_EQ(S.list().size(), 1u);
  EXPECT_EQ(S.list()[0].Name, sha256("kept"));
}

TEST(Store, TwinsShareOneFileThatStays) {
  Folder F;
  Store S(F / "store");
  const std::string Name = add(S, "hello");
  const FileIdentity Before = cantFail(FileIdentity::of(S.path(Name)));
  EXPECT_EQ(add(S, "hello"), Name);
  EXPECT_TRUE(cantFail(FileIdentity::of(S.path(Name))) == Before);
  // Not if it is damaged.
  write(S.path(Name), "jello");
  EXPECT_EQ(add(S, "hello"), Name);
  EXPECT_TRUE(bool(S.verify(Name, {})));
}

TEST(Store, FindsDamageWhateverTheTimesSay) {
  Folder F;
  Store S(F / "store");
  const std::string Name = add(S, "hello");
  age(S.path(Name));
  const FileIdentity Before = cantFail(FileIdentity::of(S.path(Name)));
  ASSERT_EQ(chmod(S.path(Name).c_str(), 0755), 0);
  write(S.path(Name), "jello");
  ASSERT_EQ(chmod(S.path(Name).c_str(), 0755), 0);
  age(S.path(Name));
  // The same size and mtime: only ctime differs.
  auto Wrong = S.verify(Name, Before);
  ASSERT_FALSE(bool(Wrong));
  EXPECT_NE(toString(Wrong.takeError()).find("damaged"), std::string::npos);
  // It can never be used again.
  EXPECT_FALSE(std::filesystem::exists(S.path(Name)));
  EXPECT_TRUE(std::filesystem::exists(F / ("store/bad/" + Name)));
  EXPECT_EQ(add(S, "hello"), Name);
  EXPECT_TRUE(bool(S.verify(Name, {})));
}

TEST(Store, MissingFilesAreErrors) {
  Folder F;
  Store S(F / "store");
  auto Wrong = S.verify(std::string(64, '0'), {});
  ASSERT_FALSE(bool(Wrong));
  llvm::consumeError(Wrong.takeError());
}

TEST(Store, AnIdentityThatIsTooYoungIsNotTrusted) {
  Folder F;
  write(F / "file", "one");
  EXPECT_TRUE(cantFail(hashFile(F / "file")).IsFresh);
  EXPECT_EQ(cantFail(hashFile(F / "file")).lasting(), FileIdentity());
}

TEST(Store, SaysThatItCannotBeWritten) {
  Folder F;
  write(F / "file", "in the way");
  Store S(F / "file/store");
  auto Name = S.temporary();
  ASSERT_FALSE(bool(Name));
  EXPECT_NE(toString(Name.takeError()).find("cannot be written"),
            std::string::npos);
}

/// An image with an optimized version, both as old as the hills.
struct Sample {
  Folder F;
  std::unique_ptr<Environment> E = F.open();
  std::string Path = F / "app";
  std::string StoreName;

  Sample() {
    write(Path, "original");
    age(Path);
    Path = std::filesystem::canonical(Path);
    StoreName = add(E->store(), "optimized");
    age(E->store().path(StoreName));
    Connection &DB = E->database();
    Transaction T(DB);
    Application A;
    A.Name = "app";
    A.Runs = Mode::Optimized;
    const int64_t Id = addApplication(DB, A);
    Image I;
    I.Path = Path;
    I.Content = sha256("original");
    addToApplication(DB, Id, putImage(DB, I), "main");
    Version V;
    V.Content = I.Content;
    V.VersionKind = Kind::Optimized;
    V.Store = StoreName;
    addVersion(DB, V);
    cantFail(T.commit());
  }
  ActiveImages active() { return cantFail(activeImages(*E)); }
};

TEST(Active, PutsTheOptimizedVersionInPlace) {
  Sample S;
  ActiveImages A = S.active();
  ASSERT_EQ(A.Images.size(), 1u);
  EXPECT_EQ(A.Images[0].Original, S.Path);
  EXPECT_EQ(A.Images[0].StoreFile, S.E->store().path(S.StoreName));
  EXPECT_TRUE(A.Originals.empty());
}

TEST(Active, NeverReplacesWhatHasChanged) {
  Sample S;
  S.active();
  write(S.Path, "originaL");
  age(S.Path);
  ActiveImages A = S.active();
  EXPECT_TRUE(A.Images.empty());
  ASSERT_EQ(A.Originals.size(), 1u);
  EXPECT_TRUE(A.Originals[0].IsNews);
  EXPECT_NE(A.Originals[0].Why.find("changed"), std::string::npos);
  // Back again: so is the version.
  write(S.Path, "original");
  EXPECT_EQ(S.active().Images.size(), 1u);
}

TEST(Active, NeverRunsADamagedFile) {
  Sample S;
  S.active();
  const std::string File = S.E->store().path(S.StoreName);
  ASSERT_EQ(chmod(File.c_str(), 0755), 0);
  write(File, "optimizeD");
  age(File);
  ActiveImages A = S.active();
  EXPECT_TRUE(A.Images.empty());
  ASSERT_EQ(A.Originals.size(), 1u);
  EXPECT_TRUE(A.Originals[0].IsNews);
  // Nor later, which is said each time, until it is made again.
  A = S.active();
  EXPECT_TRUE(A.Images.empty());
  ASSERT_EQ(A.Originals.size(), 1u);
  EXPECT_TRUE(A.Originals[0].IsNews);
  EXPECT_NE(A.Originals[0].Why.find("gone from the store"), std::string::npos);
}

TEST(Active, SeesItsOwnVersionInPlaceOfTheOriginal) {
  Sample S;
  write(S.Path, "optimized"); // As inside of another `graupel run`.
  ActiveImages A = S.active();
  ASSERT_EQ(A.Images.size(), 1u);
  EXPECT_EQ(A.Images[0].Content, sha256("original"));
}

/// As if gc ran later than it does.
constexpr int64_t NothingIsYoung = -10;

TEST(Clean, RemovesWhatNothingNames) {
  Sample S;
  const std::string Lonely = add(S.E->store(), "lonely");
  Cleaned Young = cantFail(collectGarbage(*S.E));
  EXPECT_EQ(Young.Files, 0); // Somebody may be about to name it.
  EXPECT_EQ(Young.Waiting, 1);
  Cleaned Old = cantFail(collectGarbage(*S.E, NothingIsYoung));
  EXPECT_EQ(Old.Files, 1);
  EXPECT_EQ(Old.Kept, 1);
  EXPECT_EQ(Old.Waiting, 0);
  EXPECT_EQ(S.active().Images.size(), 1u);
}

TEST(Clean, RemovesVersionsOfContentsThatAreGone) {
  Sample S;
  Connection &DB = S.E->database();
  {
    Transaction T(DB);
    removeApplication(DB, applications(DB)[0].Id);
    cantFail(T.commit());
  }
  Cleaned Done = cantFail(collectGarbage(*S.E, NothingIsYoung));
  EXPECT_EQ(Done.Versions, 1);
  EXPECT_EQ(Done.Files, 1);
  Statement Images(DB, "SELECT count(*) FROM images");
  ASSERT_TRUE(Images.next());
  EXPECT_EQ(Images.integer(0), 0);
}

} // namespace
