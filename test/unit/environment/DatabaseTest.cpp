//===- unit/environment/DatabaseTest.cpp ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A database in a folder of its own: migrations from older versions, damage, full
// and read-only disks, and transactions that are not committed.
//
//===----------------------------------------------------------------------===//

#include "Environment/Database/Schema.h"
#include "Folder.h"
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;
using llvm::toString;

namespace {

Connection openAt(const std::string &Path, size_t Version) {
  Connection DB = cantFail(Connection::open(Path, Access::ReadWrite));
  cantFail(prepareSchema(DB, Version));
  return DB;
}

int64_t addSample(Connection &DB) {
  Transaction T(DB);
  Application A;
  A.Name = "app";
  A.Main = "/bin/app";
  const int64_t Id = addApplication(DB, A);
  Image I;
  I.Path = "/bin/app";
  I.Content = "c0";
  I.Identity = {1, 2, 3, 4, 5};
  addToApplication(DB, Id, putImage(DB, I), "main");
  cantFail(T.commit());
  return Id;
}

TEST(Database, KeepsWhatAnOlderVersionWrote) {
  ASSERT_GE(migrations().size(), 2u);
  for (size_t Version = 1; Version < migrations().size(); ++Version) {
    Folder F;
    {
      Connection Old = openAt(F / "db", Version);
      addSample(Old);
    }
    Connection DB = openAt(F / "db", migrations().size());
    auto App = findApplication(DB, "app");
    ASSERT_TRUE(App.has_value());
    EXPECT_EQ(App->Main, "/bin/app");
    auto Images = images(DB, App->Id);
    ASSERT_EQ(Images.size(), 1u);
    EXPECT_EQ(Images[0].Role, "main");
    EXPECT_EQ(Images[0].Identity, (FileIdentity{1, 2, 3, 4, 5}));
    // What the older one did not have is there.
    Transaction T(DB);
    graupel::environment::Version V;
    V.Content = "c0";
    V.VersionKind = Kind::Optimized;
    V.Store = "s0";
    const int64_t Id = addVersion(DB, V);
    setResult(DB, Id, "pages", 3);
    cantFail(T.commit());
    EXPECT_EQ(results(DB, Id).size(), 1u);
  }
}

TEST(Database, WhatWasKnownBeforeHasAMethodAndAnAge) {
  Folder F;
  {
    Connection Old = openAt(F / "db", 3);
    Old.execute(
        "INSERT INTO profiles(content, plan, bytes, files, first, last) "
        "VALUES('c0','foreign','---',1,5,7),('c0','12','x',2,5,6)");
    Old.execute("INSERT INTO runs(command, mode, began) "
                "VALUES('app','instrumented',5)");
    cantFail(Old.check());
  }
  Connection DB = openAt(F / "db", migrations().size());
  const auto Rows = profiles(DB, "c0");
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].ProfileMethod, Method::Imported);
  EXPECT_EQ(Rows[0].Aged, 7);
  EXPECT_EQ(Rows[1].ProfileMethod, Method::Counters);
  EXPECT_EQ(Rows[1].Aged, 6);
  const auto Runs = runs(DB, 0, 10);
  ASSERT_EQ(Runs.size(), 1u);
  EXPECT_EQ(Runs[0].ProfileMethod, Method::Counters);
  EXPECT_FALSE(Runs[0].Age.has_value());
}

TEST(Database, AMigrationThatFailsChangesNothing) {
  Folder F;
  {
    Connection Old = openAt(F / "db", 1);
    addSample(Old);
    // In the way of the second migration.
    Old.execute("CREATE TABLE results(x)");
    cantFail(Old.check());
  }
  Connection DB = cantFail(Connection::open(F / "db", Access::ReadWrite));
  EXPECT_NE(toString(prepareSchema(DB)).find("results"), std::string::npos);
  Statement S(DB, "PRAGMA user_version");
  ASSERT_TRUE(S.next());
  EXPECT_EQ(S.integer(0), 1);
  EXPECT_TRUE(findApplication(DB, "app").has_value());
}

TEST(Database, RefusesWhatANewerOneMade) {
  Folder F;
  {
    Connection DB = openAt(F / "db", migrations().size());
    DB.execute("PRAGMA user_version=99");
    cantFail(DB.check());
  }
  Connection DB = cantFail(Connection::open(F / "db", Access::ReadWrite));
  EXPECT_NE(toString(prepareSchema(DB)).find("newer graupel"),
            std::string::npos);
}

TEST(Database, RefusesOtherPrograms) {
  Folder F;
  {
    Connection DB = cantFail(Connection::open(F / "db", Access::ReadWrite));
    DB.execute("CREATE TABLE theirs(x)");
    cantFail(DB.check());
  }
  Connection DB = cantFail(Connection::open(F / "db", Access::ReadWrite));
  EXPECT_NE(toString(prepareSchema(DB)).find("another program"),
            std::string::npos);
}

TEST(Database, SaysWhenItIsDamaged) {
  Folder F;
  write(F / "db", std::string(8192, 'x'));
  auto DB = Connection::open(F / "db", Access::ReadWrite);
  std::string Text;
  if (!DB)
    Text = toString(DB.takeError());
  else
    Text = toString(prepareSchema(*DB));
  EXPECT_NE(Text.find("damaged"), std::string::npos) << Text;
}

TEST(Database, TheFirstErrorStopsAllThatFollows) {
  Folder F;
  Connection DB = openAt(F / "db", migrations().size());
  {
    Transaction T(DB);
    Application A;
    A.Name = "one";
    addApplication(DB, A);
    DB.execute("INSERT INTO nothing VALUES(1)");
    A.Name = "two";
    addApplication(DB, A);
    EXPECT_NE(toString(T.commit()).find("nothing"), std::string::npos);
  }
  EXPECT_TRUE(applications(DB).empty());
  cantFail(DB.check());
}

TEST(Database, ATransactionWithoutCommitIsUndone) {
  Folder F;
  Connection DB = openAt(F / "db", migrations().size());
  {
    Transaction T(DB);
    Application A;
    A.Name = "one";
    addApplication(DB, A);
  }
  EXPECT_TRUE(applications(DB).empty());
}

TEST(Database, SaysThatTheDiskIsFullAndKeepsWhatThereWas) {
  Folder F;
  {
    Connection DB = openAt(F / "db", migrations().size());
    addSample(DB);
  }
  Connection DB = openAt(F / "db", migrations().size());
  DB.execute("PRAGMA max_page_count=1"); // The smallest it has: what is there.
  std::string Text;
  {
    Transaction T(DB);
    Statement S(DB, "INSERT INTO profiles(content, plan, bytes, files, first, "
                    "last) VALUES('c', 'p', zeroblob(10000000), 1, 0, 0)");
    S.run();
    Text = toString(T.commit());
  }
  EXPECT_NE(Text.find("the disk is full"), std::string::npos) << Text;
  EXPECT_TRUE(findApplication(DB, "app").has_value());
  EXPECT_TRUE(profiles(DB, "c").empty());
}

TEST(Database, CanBeReadWhereNothingCanBeWritten) {
  Folder F;
  {
    auto E = F.open();
    addSample(E->database());
  }
  namespace fs = std::filesystem;
  fs::permissions(F.locations().State, fs::perms(0555));
  fs::permissions(F.locations().Database, fs::perms(0444));
  fs::permissions(F.Path, fs::perms(0755));
  // Root may write everywhere.
  const pid_t Child = fork();
  if (Child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      _exit(2);
    auto E = Environment::openToLook(F.locations());
    if (!E) {
      fprintf(stderr, "%s\n", toString(E.takeError()).c_str());
      _exit(3);
    }
    const bool IsFound = findApplication((*E)->database(), "app").has_value();
    _exit((*E)->readOnly() && IsFound ? 0 : 1);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  fs::permissions(F.locations().State, fs::perms(0755));
  EXPECT_EQ(Status, 0);
}

TEST(Database, AnImageHasTheContentsItHad) {
  Folder F;
  Connection DB = openAt(F / "db", migrations().size());
  addSample(DB);
  Transaction T(DB);
  Image I = *findImage(DB, "/bin/app");
  const int64_t Id = I.Id;
  I.Content = "c1";
  EXPECT_EQ(putImage(DB, I), Id);
  cantFail(T.commit());
  Statement S(DB, "SELECT count(*) FROM image_contents");
  ASSERT_TRUE(S.next());
  EXPECT_EQ(S.integer(0), 2);
}

} // namespace
