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

/// A journal that somebody else may have written. With `held` empty, the file
/// is known by what the disk says of it.
class ForeignTest : public PlacesTest {
protected:
  graupel::test::Folder Elsewhere;

  void SetUp() override {
    for (const char *Name :
         {"project/state/plain/x", "project/state/placed/x", "project/program"})
      F.add(Name, "theirs");
    Elsewhere.add("victim", "victim");
  }
  std::string open(const std::string &Path, const std::string &Plain,
                   const std::string &Held) const {
    struct stat S = {};
    stat(Path.c_str(), &S);
    const auto Of = graupel::environment::FileIdentity::of(S);
    F.add("project/state/places.json",
          "[{\"path\":\"" + Path + "\",\"plain\":\"" + Plain +
              "\",\"held\":\"" + Held +
              "\",\"temporary\":true,\"device\":" + std::to_string(Of.Device) +
              ",\"inode\":" + std::to_string(Of.Inode) +
              ",\"size\":" + std::to_string(Of.Size) +
              ",\"modified\":" + std::to_string(Of.ModifyTime) + "}]");
    Places P(F / "project/state");
    if (llvm::Error Err = P.open())
      return toString(std::move(Err));
    llvm::cantFail(P.restoreAll());
    return "";
  }
};

TEST_F(ForeignTest, NamesOtherFiles) {
  const std::string Plain = F / "project/state/plain/x",
                    Victim = Elsewhere / "victim";
  for (const std::string &Held :
       {std::string(), Victim, F / "project/state/placed/../../../a"})
    EXPECT_NE(open(Victim, Plain, Held), "") << Held;
  const std::string Program = F / "project/program";
  EXPECT_NE(open(Program, Victim, ""), "");
  EXPECT_NE(open(Program, F / "project/state/plain/..", ""), "");
  EXPECT_NE(open(Program, "", ""), "");
  EXPECT_NE(open(Program, Plain, Program), "");
  ASSERT_EQ(symlink(Elsewhere.Path.c_str(), (F / "project/out").c_str()), 0);
  EXPECT_NE(open(F / "project/out/victim", Plain, "").find("outside"),
            std::string::npos);
  EXPECT_NE(open(F / "project/../../" +
                     std::filesystem::path(Elsewhere.Path).filename().string() +
                     "/victim",
                 Plain, ""),
            "");
  std::ifstream File(Victim);
  std::string Text(std::istreambuf_iterator<char>(File), {});
  EXPECT_EQ(Text, "victim");
  EXPECT_EQ(text("project/state/plain/x"), "theirs");
  // What is not there is of a link that is gone.
  EXPECT_EQ(open(Elsewhere / "gone", Plain, ""), "");
}

TEST_F(ForeignTest, WhereALinkPutIt) {
  Link L;
  L.Output = Elsewhere / "victim";
  ASSERT_FALSE(bool(note(F / "project/state", L)));
  EXPECT_EQ(open(L.Output, F / "project/state/plain/x", ""), "");
  std::ifstream File(L.Output);
  std::string Text(std::istreambuf_iterator<char>(File), {});
  EXPECT_EQ(Text, "theirs");
}

} // namespace
