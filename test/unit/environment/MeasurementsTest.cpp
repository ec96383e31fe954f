//===- unit/environment/MeasurementsTest.cpp ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of rounds that were made by hand: bounds, noise, and what runs
// because of them.
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Measurements.h"
#include "Environment/Launch/Judge.h"
#include "Folder.h"
#include <random>

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;

namespace {

Round round(double Original, double Optimized, double Again) {
  return {{Original, Original}, {Optimized, Optimized}, {Again, Again}};
}

Comparison compare(std::vector<Round> Rounds) {
  Measurement M;
  M.Rounds = std::move(Rounds);
  return M.compare(&RunTime::Wall);
}

TEST(Measurements, SayHowMuchLessWithinWhichBounds) {
  std::vector<Round> Rounds;
  for (int I = -5; I <= 5; ++I)
    Rounds.push_back(
        round(1 + I * 0.1, (1 + I * 0.1) * (0.9 + I * 0.002), 1 + I * 0.1));
  const Comparison C = compare(Rounds);
  // Rounds of different lengths are compared within themselves.
  EXPECT_NEAR(C.Change.Middle, 0.9, 1e-9);
  // Of eleven values the second and the last but one (98.8 %).
  EXPECT_NEAR(C.Change.Low, 0.892, 1e-9);
  EXPECT_NEAR(C.Change.High, 0.908, 1e-9);
  EXPECT_NEAR(C.Control.Middle, 1, 1e-9);
  EXPECT_NEAR(C.OriginalSeconds, 1, 1e-9);
  EXPECT_EQ(sentence(C), "10.0 % less (9.2 to 10.8)");
}

TEST(Measurements, SixRoundsGiveTheWidestBounds) {
  std::vector<Round> Rounds;
  for (double After : {0.95, 0.96, 0.97, 0.98, 0.99, 1.01})
    Rounds.push_back(round(1, After, 1));
  const Comparison C = compare(Rounds);
  EXPECT_NEAR(C.Change.Low, 0.95, 1e-9);
  EXPECT_NEAR(C.Change.High, 1.01, 1e-9);
  EXPECT_EQ(sentence(C),
            "no difference that can be seen (5.0 % less to 1.0 % more)");
}

TEST(Measurements, WhatDiffersFromItselfIsNotTrusted) {
  const Comparison C = compare(std::vector<Round>(8, round(1, 1.2, 1.1)));
  EXPECT_NE(sentence(C).find("do not trust it: the original differs from "
                             "itself by 10.0 %"),
            std::string::npos)
      << sentence(C);
  EXPECT_NE(sentence(C).find("% more"), std::string::npos);
}

TEST(Measurements, WhatIsSmallBesideTheChangeIsTrusted) {
  const Comparison C = compare(std::vector<Round>(8, round(1, 0.1, 1.001)));
  EXPECT_EQ(sentence(C), "90.0 % less (90.0 to 90.0)");
}

/// Pure noise must not be called a difference more often than it is said, nor
/// so rarely that nothing ever would.
TEST(Measurements, NoiseIsADifferenceInFivePercentAtMost) {
  std::mt19937 Random(12345);
  std::lognormal_distribution<double> Noise(0, 0.1);
  for (size_t Count : {6u, 9u, 12u, 20u, 50u}) {
    int Wrong = 0;
    constexpr int Trials = 4000;
    for (int I = 0; I < Trials; ++I) {
      std::vector<Round> Rounds;
      for (size_t J = 0; J < Count; ++J)
        Rounds.push_back(round(Noise(Random), Noise(Random), Noise(Random)));
      Wrong += !compare(Rounds).Change.isOne();
    }
    EXPECT_LT(Wrong, Trials * 0.06) << Count;
    EXPECT_GT(Wrong, Trials * 0.005) << Count;
  }
}

TEST(Measurements, NoTimeAtAllIsNoError) {
  const Comparison C = compare(std::vector<Round>(6, round(0, 0, 0)));
  EXPECT_EQ(C.Change.Middle, 1);
}

/// Nine rounds in which optimized versions take \p After of the original's time
/// and the original differs from itself by up to \p Noise.
Measurement measured(double After, double Noise) {
  Measurement M;
  for (int I = -4; I <= 4; ++I)
    M.Rounds.push_back(
        round(1, After * (1 + Noise * (I * 5 % 9) / 4), 1 + Noise * I / 4));
  return M;
}

TEST(Measurements, WhatIsWithinTheNoiseDecidesNothing) {
  EXPECT_EQ(verdictOf(measured(0.95, 0.01)), Verdict::Better);
  EXPECT_EQ(verdictOf(measured(0.95, 0.2)), Verdict::Unclear);
  EXPECT_EQ(verdictOf(measured(1.05, 0.01)), Verdict::Worse);
  EXPECT_EQ(verdictOf(measured(1.05, 0.2)), Verdict::Unclear);
  EXPECT_EQ(verdictOf(measured(1, 0)), Verdict::Unclear);
}

TEST(Measurements, TheLargerOfTwoContraryChangesDecides) {
  Measurement M;
  // It waits: a tenth of the wall time, and a little more of the processor.
  M.Rounds.assign(9, {{1, 0.001}, {0.1, 0.0011}, {1, 0.001}});
  EXPECT_EQ(verdictOf(M), Verdict::Better);
  M.Rounds.assign(9, {{1, 1}, {0.99, 2}, {1, 1}});
  EXPECT_EQ(verdictOf(M), Verdict::Worse);
}

/// All that is measured and predicted, and what runs then.
TEST(Measurements, OriginalsRunUnlessTheVersionsAreBetter) {
  for (Verdict Predicted :
       {Verdict::Better, Verdict::Unclear, Verdict::Worse}) {
    Judgment J;
    J.Decision = Predicted;
    EXPECT_FALSE(decide(measured(0.9, 0.01), J).keepsOriginals());
    EXPECT_TRUE(decide(measured(1.1, 0.01), J).keepsOriginals());
    // Chance: what follows from counts decides, and has to be better.
    for (double After : {0.95, 1.0, 1.05})
      EXPECT_EQ(decide(measured(After, 0.2), J).keepsOriginals(),
                Predicted != Verdict::Better);
    // Not measured.
    EXPECT_EQ(J.keepsOriginals(), Predicted == Verdict::Worse);
  }
}

std::vector<MadeImage> predicted(double Branches, double Windows) {
  MadeImage M;
  M.Figures = {{"taken_branches_before", 1000},
               {"taken_branches_after", Branches},
               {"windows_entered_before", 3000},
               {"windows_entered_after", Windows}};
  return {M};
}

TEST(Measurements, PredictedIsTheSumOfWhatTheFrontEndDoes) {
  EXPECT_EQ(predict({}).Decision, Verdict::Unclear);
  EXPECT_EQ(predict(predicted(500, 2500)).Decision, Verdict::Better);
  EXPECT_EQ(predict(predicted(1000, 3000)).Decision, Verdict::Unclear);
  EXPECT_EQ(predict(predicted(1200, 3100)).Decision, Verdict::Worse);
  // More of one, less of the other.
  EXPECT_EQ(predict(predicted(1100, 2500)).Decision, Verdict::Better);
  const Judgment J = predict(predicted(3000, 2900));
  EXPECT_EQ(J.Decision, Verdict::Worse);
  EXPECT_EQ(J.Explanation,
            "predicted: 200.0 % more taken branches, 3.3 % fewer "
            "decode windows");
}

TEST(Measurements, AreKeptWithTheirVersions) {
  Folder F;
  auto E = F.open();
  Application A;
  {
    Transaction T(E->database());
    A.Name = "app";
    A.Id = addApplication(E->database(), A);
    cantFail(T.commit());
  }
  Measurement M;
  M.Command = "app -x";
  M.At = 77;
  M.Versions = versionsOf({"b", "a"});
  M.Rounds.assign(6, round(0.125, 0.1, 0.125000001));
  cantFail(addMeasurement(*E, A, M));
  const auto All = measurements(E->database(), A.Id, 10);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Command, M.Command);
  EXPECT_EQ(All[0].At, 77);
  EXPECT_EQ(All[0].Versions, versionsOf({"a", "b"}));
  ASSERT_EQ(All[0].Rounds.size(), 6u);
  EXPECT_NEAR(All[0].Rounds[5].Again.Wall, 0.125000001, 1e-9);
  EXPECT_NE(versionsOf({"a"}), versionsOf({"a", "b"}));
  EXPECT_TRUE(measurements(E->database(), A.Id + 1, 10).empty());
}

} // namespace
