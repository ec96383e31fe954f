//===- build/PlacesTest.cpp - Versions in place of outputs ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/Places.h"
#include "Folder.h"
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using namespace graupel::build;

namespace {

class PlacesTest : public testing::Test {
protected:
  graupel::test::Folder F;
  Output Two; ///< A file with two names, and a version of it.

  void SetUp() override {
    for (const char *Name : {"plain", "placed"})
      ASSERT_EQ(mkdir((F / Name).c_str(), 0777), 0);
    F.add("a", "plain");
    F.add("version", "version");
    const timespec Times[] = {{5, 6}, {7, 8}};
    ASSERT_EQ(utimensat(AT_FDCWD, (F / "a").c_str(), Times, 0), 0);
    ASSERT_EQ(chmod((F / "a").c_str(), 0750), 0);
    ASSERT_EQ(link((F / "a").c_str(), (F / "b").c_str()), 0);
    Two.Copies.push_back({status("a"), {F / "a", F / "b"}});
  }

  struct stat status(const std::string &Name) const {
    struct stat Status = {};
    stat((F / Name).c_str(), &Status);
    return Status;
  }
  std::string text(const std::string &Name) const {
    std::ifstream File(F / Name);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  size_t filesIn(const std::string &Name) const {
    size_t Count = 0;
    for (auto &E : std::filesystem::directory_iterator(F / Name))
      Count += E.exists();
    return Count;
  }
  void put(Places &P) {
    ASSERT_FALSE(bool(P.put(Replacement{&Two, F / "version", true})));
  }
};

TEST_F(PlacesTest, ThereAndBack) {
  const ino_t Plain = status("a").st_ino;
  Places P(F.Path);
  put(P);
  EXPECT_EQ(text("a"), "version");
  EXPECT_EQ(status("a").st_ino, status("b").st_ino);
  EXPECT_EQ(status("a").st_mtim.tv_sec, 7);
  EXPECT_EQ(status("a").st_mtim.tv_nsec, 8);
  EXPECT_EQ(status("a").st_mode & 0777, 0750u);
  EXPECT_TRUE(P.isOurs(F / "b"));

  // Another process, after a crash.
  Places Later(F.Path);
  ASSERT_FALSE(bool(Later.open()));
  EXPECT_TRUE(Later.anyTemporary());
  EXPECT_EQ(llvm::cantFail(Later.restoreAll()), 2u);
  EXPECT_EQ(status("a").st_ino, Plain);
  EXPECT_EQ(status("b").st_ino, Plain);
  EXPECT_EQ(filesIn("plain") + filesIn("placed"), 0u);
  EXPECT_EQ(llvm::cantFail(Later.restoreAll()), 0u);
}

TEST_F(PlacesTest, WhatIsNewStays) {
  Places P(F.Path);
  put(P);
  // As linkers do: the name is removed, and made again.
  unlink((F / "a").c_str());
  F.add("a", "linked again");
  EXPECT_EQ(llvm::cantFail(P.restoreTemporary()), 1u);
  EXPECT_EQ(text("a"), "linked again");
  EXPECT_EQ(text("b"), "plain");
}

TEST_F(PlacesTest, ChangedMeanwhile) {
  unlink((F / "b").c_str());
  F.add("b", "other");
  Places P(F.Path);
  llvm::Error Err = P.put(Replacement{&Two, F / "version", true});
  EXPECT_NE(toString(std::move(Err)).find("changed meanwhile"),
            std::string::npos);
  EXPECT_EQ(text("a"), "plain");
  EXPECT_EQ(text("b"), "other");
  EXPECT_EQ(filesIn("plain") + filesIn("placed"), 0u);
}

TEST_F(PlacesTest, AllNamesOfOneFile) {
  Places P(F.Path);
  put(P);
  auto isOther = [&](const std::string &Path) { return Path == F / "c"; };
  EXPECT_EQ(llvm::cantFail(P.restoreFiles(isOther)), 0u);
  EXPECT_EQ(text("a"), "version");
  auto isB = [&](const std::string &Path) { return Path == F / "b"; };
  EXPECT_EQ(llvm::cantFail(P.restoreFiles(isB)), 2u);
  EXPECT_EQ(text("a"), "plain");
  EXPECT_EQ(status("a").st_ino, status("b").st_ino);
}

TEST_F(PlacesTest, DamagedJournal) {
  F.add("places.json", "[{");
  Places P(F.Path);
  EXPECT_NE(toString(P.open()).find("is damaged"), std::string::npos);
}

} // namespace
