//===- unit/environment/ProfilesTest.cpp ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Profiles.h"
#include "Environment/Actions/Describe.h"
#include "Folder.h"

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;
using llvm::toString;

namespace {

const std::string Content(64, 'c');

TEST(Profiles, AFileCountsOnce) {
  Folder F;
  auto E = F.open();
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "a", countersFile(3), 0)),
            Merged::Added);
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "a", countersFile(3), 0)),
            Merged::Before);
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "b", countersFile(4), 0)),
            Merged::Added);
  EXPECT_EQ(counted(*E, Content), 7u);
  ASSERT_EQ(profiles(E->database(), Content).size(), 1u);
  EXPECT_EQ(profiles(E->database(), Content)[0].Files, 2);
}

TEST(Profiles, WhatWasNotBegunIsNoProfile) {
  Folder F;
  auto E = F.open();
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "a", "", 0)), Merged::Empty);
  EXPECT_EQ(
      cantFail(mergeProfile(*E, Content, "b", std::string(9000, '\0'), 0)),
      Merged::Empty);
}

TEST(Profiles, DamagedFilesChangeNothing) {
  Folder F;
  auto E = F.open();
  cantFail(mergeProfile(*E, Content, "a", countersFile(3), 0));
  std::string Bad = countersFile(5);
  Bad[20] ^= 1;
  auto Result = mergeProfile(*E, Content, "b", Bad, 0);
  ASSERT_FALSE(bool(Result));
  llvm::consumeError(Result.takeError());
  EXPECT_EQ(counted(*E, Content), 3u);
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "b", countersFile(5), 0)),
            Merged::Added);
}

TEST(Profiles, CountsOfAnotherFileAreRefused) {
  Folder F;
  auto E = F.open();
  {
    Transaction T(E->database());
    Image I;
    I.Path = "/bin/app";
    I.Content = Content;
    I.BuildID = "010203";
    putImage(E->database(), I);
    cantFail(T.commit());
  }
  auto Result = mergeProfile(*E, Content, "a", countersFile(3, {9, 9}), 0);
  ASSERT_FALSE(bool(Result));
  EXPECT_NE(toString(Result.takeError()).find("build-id 0909"),
            std::string::npos);
  EXPECT_EQ(cantFail(mergeProfile(*E, Content, "a", countersFile(3), 0)),
            Merged::Added);
}

TEST(Profiles, NamesInTheSpoolSayTheContent) {
  EXPECT_EQ(contentOfSpoolName(spoolName(Content)), Content);
  EXPECT_EQ(contentOfSpoolName(spoolName(Content) + ".0123456789abcdef"),
            Content);
  EXPECT_FALSE(contentOfSpoolName("app.gprofile"));
  EXPECT_FALSE(contentOfSpoolName(Content));
}

TEST(Profiles, RunsAreRemembered) {
  Folder F;
  auto E = F.open();
  const int64_t Id =
      cantFail(beginRun(*E, 0, {"app", "-x"}, Mode::Instrumented));
  EXPECT_TRUE(std::filesystem::is_directory(spoolFolder(*E)));
  EXPECT_FALSE(runs(E->database(), 0, 10)[0].Ended);
  cantFail(endRun(*E, Id, 137, 0.5, 1.5));
  const auto R = runs(E->database(), 0, 10)[0];
  EXPECT_EQ(R.Command, "app -x");
  EXPECT_TRUE(R.Ended.has_value());
  EXPECT_EQ(R.Status, 137);
  EXPECT_EQ(R.WallSeconds, 1.5);
}

TEST(Describe, CoverageIsOfBlocksThatRan) {
  Folder F;
  auto E = F.open();
  Image I;
  I.Path = F / "gone";
  I.Content = Content;
  for (uint64_t Count : {0, 2}) {
    cantFail(mergeProfile(*E, Content, std::to_string(Count),
                          countersFile(Count), 0));
    const ImageState S = cantFail(describeImage(*E, I, true));
    ASSERT_TRUE(S.Counts.has_value());
    EXPECT_EQ(S.Counts->Share.Functions, 1u);
    EXPECT_EQ(S.Counts->Share.ExecutedFunctions, Count ? 1u : 0u);
    EXPECT_EQ(S.Counts->Share.ExecutedBlocks, Count ? 1u : 0u);
    EXPECT_EQ(S.OnDisk, ImageState::Condition::Gone);
  }
}

} // namespace
