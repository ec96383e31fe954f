//===- build/StateTest.cpp - The state folder of a build ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build/State.h"
#include "Folder.h"
#include <unistd.h>

using namespace graupel::build;

namespace {

struct StateTest : testing::Test {
  graupel::test::Folder F;

  std::string errorOf(const std::string &Name) const {
    auto Lock = StateLock::take(F / Name);
    return Lock ? "" : toString(Lock.takeError());
  }
  std::string text(const std::string &Name) const {
    std::ifstream File(F / Name);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  bool isThere(const std::string &Name) const {
    return std::filesystem::exists(F / Name);
  }
  /// As versions without a marker made it.
  void addOlder(const std::string &Name) const {
    for (const char *Folder : {"unstripped", "plain", "placed", "instrumented",
                               "profiles", "optimized"})
      std::filesystem::create_directories(F / Name + "/" + Folder);
    F.add(Name + "/.gitignore", "*\n");
    F.add(Name + "/lock", "");
  }
};

TEST_F(StateTest, NewAndAgain) {
  EXPECT_EQ(errorOf("a/new"), "");
  EXPECT_EQ(text("a/new/.gitignore"), "*\n");
  F.add("a/new/optimized/left", "");
  F.add("a/new/.gitignore", "mine\n");
  EXPECT_EQ(errorOf("a/new"), "");
  EXPECT_FALSE(isThere("a/new/optimized/left"));
  EXPECT_TRUE(isThere("a/new/optimized"));
  EXPECT_EQ(text("a/new/.gitignore"), "mine\n");
  std::filesystem::create_directories(F / "empty");
  EXPECT_EQ(errorOf("empty"), "");
}

TEST_F(StateTest, OtherFoldersStay) {
  F.add("project/.gitignore", "*.o\n");
  F.add("project/optimized/file", "kept");
  F.add("file", "kept");
  EXPECT_NE(errorOf("project").find("new or empty"), std::string::npos);
  EXPECT_EQ(text("project/.gitignore"), "*.o\n");
  EXPECT_EQ(text("project/optimized/file"), "kept");
  EXPECT_FALSE(isThere("project/lock"));
  EXPECT_NE(errorOf("file"), "");
  EXPECT_EQ(text("file"), "kept");
}

TEST_F(StateTest, OfOlderVersions) {
  addOlder("older");
  F.add("older/links.jsonl", "{}\n");
  EXPECT_EQ(errorOf("older"), "");
  EXPECT_EQ(text("older/links.jsonl"), "{}\n");
  addOlder("similar");
  F.add("similar/.gitignore", "*.o\n");
  F.add("similar/optimized/file", "kept");
  EXPECT_NE(errorOf("similar"), "");
  EXPECT_EQ(text("similar/optimized/file"), "kept");
}

TEST_F(StateTest, LinksOfOthers) {
  F.add("mine/file", "kept");
  EXPECT_EQ(errorOf("state"), "");
  std::filesystem::remove(F / "state/optimized");
  std::filesystem::create_symlink(F / "mine", F / "state/optimized");
  EXPECT_NE(errorOf("state").find("symbolic link"), std::string::npos);
  EXPECT_EQ(text("mine/file"), "kept");
}

TEST_F(StateTest, OfAnotherUser) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  EXPECT_EQ(errorOf("state"), "");
  ASSERT_EQ(chown((F / "state").c_str(), 65534, 65534), 0);
  EXPECT_NE(errorOf("state").find("another user"), std::string::npos);
}

} // namespace
