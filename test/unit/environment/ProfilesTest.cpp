//===- unit/environment/ProfilesTest.cpp ---------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles made of files of counters: what is added, what is refused, and how
// much older runs weigh.
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Profiles.h"
#include "Environment/Actions/Clean.h"
#include "Environment/Actions/Describe.h"
#include "Folder.h"
#include <cmath>

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

/// As if everything had happened earlier.
void letPass(Environment &E, int64_t Seconds) {
  Transaction T(E.database());
  for (const char *Change :
       {"UPDATE profiles SET first=first-?1, last=last-?1, aged=aged-?1",
        "UPDATE merged SET at=at-?1", "UPDATE runs SET began=began-?1"}) {
    Statement S(E.database(), Change);
    (S << Seconds).run();
  }
  cantFail(T.commit());
}

constexpr int64_t Day = 24 * 3600;

TEST(Profiles, OlderRunsWeighLess) {
  Folder F;
  auto E = F.open();
  cantFail(mergeProfile(*E, Content, "a", countersFile(1000), 0));
  // Within a week counts are exact.
  letPass(*E, 6 * Day);
  cantFail(mergeProfile(*E, Content, "b", countersFile(1000), 0));
  EXPECT_EQ(counted(*E, Content), 2000u);
  // Two weeks after the first: a weight of 2^(-14/30).
  letPass(*E, 8 * Day);
  cantFail(mergeProfile(*E, Content, "c", countersFile(1), 0));
  EXPECT_EQ(counted(*E, Content), 1448u);
  // It is weighed once, and next a week later.
  cantFail(mergeProfile(*E, Content, "d", countersFile(1), 0));
  EXPECT_EQ(counted(*E, Content), 1449u);
  // Nothing happens while nothing is added.
  letPass(*E, 300 * Day);
  EXPECT_EQ(counted(*E, Content), 1449u);
  // What was executed once stays so.
  letPass(*E, 3000 * Day);
  cantFail(mergeProfile(*E, Content, "e", countersFile(5), 0));
  EXPECT_EQ(counted(*E, Content), 6u);
}

TEST(Profiles, AClockThatGoesBackTakesNoWeight) {
  Folder F;
  auto E = F.open();
  cantFail(mergeProfile(*E, Content, "a", countersFile(1000), 0));
  letPass(*E, -100 * Day);
  cantFail(mergeProfile(*E, Content, "b", countersFile(1), 0));
  EXPECT_EQ(counted(*E, Content), 1001u);
}

TEST(Profiles, WhatIsStillCountedIsAddedInParts) {
  Folder F;
  auto E = F.open();
  auto merge = [&](uint64_t Count, Counting Is) {
    return cantFail(
        mergeProfile(*E, Content, "daemon", countersFile(Count), 0, Is));
  };
  EXPECT_EQ(merge(10, Counting::GoesOn), Merged::Added);
  EXPECT_EQ(counted(*E, Content), 10u);
  EXPECT_EQ(merge(10, Counting::GoesOn), Merged::Before);
  cantFail(mergeProfile(*E, Content, "other", countersFile(5), 0));
  EXPECT_EQ(merge(17, Counting::GoesOn), Merged::Added);
  EXPECT_EQ(counted(*E, Content), 22u);
  EXPECT_EQ(merge(20, Counting::HasEnded), Merged::Added);
  EXPECT_EQ(counted(*E, Content), 25u);
  // Whoever is killed before the file is removed offers it again.
  EXPECT_EQ(merge(20, Counting::HasEnded), Merged::Before);
  EXPECT_EQ(merge(20, Counting::GoesOn), Merged::Before);
  EXPECT_EQ(counted(*E, Content), 25u);
}

TEST(Profiles, WhatIsStillCountedForMonthsCountsOnce) {
  Folder F;
  auto E = F.open();
  auto merge = [&](uint64_t Count) {
    cantFail(mergeProfile(*E, Content, "daemon", countersFile(Count), 0,
                          Counting::GoesOn));
  };
  auto cleanLater = [&] {
    Transaction T(E->database());
    Statement S(E->database(), "UPDATE counting SET at=at-?");
    (S << 100 * Day).run();
    cantFail(T.commit());
    cantFail(collectGarbage(*E));
    Statement Count(E->database(), "SELECT count(*) FROM counting");
    return Count.next() ? Count.integer(0) : -1;
  };
  merge(10);
  const std::string File =
      "state/spool/" + std::string(Content) + ".gprofile=daemon";
  F.add(File, "");
  EXPECT_EQ(cleanLater(), 1);
  merge(17);
  EXPECT_EQ(counted(*E, Content), 17u);
  std::filesystem::remove(F / File);
  EXPECT_EQ(cleanLater(), 0);
}

TEST(Profiles, RunsSayWhatTheyAddedAndWhatItWeighsNow) {
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
  auto run = [&](const std::string &Id, uint64_t Count) {
    const int64_t Run = cantFail(
        beginRun(*E, 0, {"app"}, Mode::Instrumented, Method::Counters));
    cantFail(mergeProfile(*E, Content, Id, countersFile(Count), Run));
  };
  auto weight = [&](size_t Run) {
    return weightOf(runs(E->database(), 0, 10)[Run]).value_or(-1);
  };
  run("a", 500);
  EXPECT_EQ(runs(E->database(), 0, 10)[0].Counted, 500);
  EXPECT_EQ(weight(0), 1);
  letPass(*E, 15 * Day);
  EXPECT_EQ(weight(0), 1); // There is nothing newer.
  run("b", 1);
  EXPECT_EQ(weight(0), 1);
  EXPECT_EQ(weight(1), weightAfter(2));
  EXPECT_EQ(counted(*E, Content), uint64_t(500 * weightAfter(2) + 0.5) + 1);
  // A clock that was set back does not make the newest run an old one.
  letPass(*E, -400 * Day);
  run("c", 1);
  EXPECT_EQ(weight(0), 1);
  // Nothing of the next build.
  Transaction T(E->database());
  Image I;
  I.Path = "/bin/app";
  I.Content = std::string(64, 'd');
  putImage(E->database(), I);
  cantFail(T.commit());
  EXPECT_EQ(weight(0), -1);
}

TEST(Profiles, HalfTheWeightIsGoneAfterThirtyDays) {
  EXPECT_EQ(weightAfter(0), 1);
  EXPECT_NEAR(weightAfter(30), std::pow(0.5, 7), 1e-12); // 210 days.
  EXPECT_EQ(weeksBetween(0, 7 * Day - 1), 0);
  EXPECT_EQ(weeksBetween(0, 7 * Day), 1);
}

TEST(Profiles, SamplesAddUpAsCountsDo) {
  Folder F;
  auto E = F.open();
  const Samples S("no_lbr cpu-clock:u:\n1 main 10 100\n");
  EXPECT_EQ(cantFail(mergeSamples(*E, Content, "a", S, 0)), Merged::Added);
  EXPECT_EQ(cantFail(mergeSamples(*E, Content, "a", S, 0)), Merged::Before);
  EXPECT_EQ(cantFail(mergeSamples(*E, Content, "b", Samples(), 0)),
            Merged::Empty);
  letPass(*E, 14 * Day);
  EXPECT_EQ(cantFail(mergeSamples(*E, Content, "c", S, 0)), Merged::Added);
  const auto Rows = profiles(E->database(), Content);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].ProfileMethod, Method::Samples);
  EXPECT_EQ(Rows[0].Files, 2);
  EXPECT_EQ(Samples(profileBytes(E->database(), Rows[0].Id)).total(), 172);
  // With branch records they are something else.
  cantFail(mergeSamples(*E, Content, "d", Samples("1 a 0 1 b 4 2 7\n"), 0));
  EXPECT_EQ(profiles(E->database(), Content).size(), 2u);
}

TEST(Profiles, RunsAreRemembered) {
  Folder F;
  auto E = F.open();
  const int64_t Id = cantFail(
      beginRun(*E, 0, {"app", "-x"}, Mode::Instrumented, Method::Counters));
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
