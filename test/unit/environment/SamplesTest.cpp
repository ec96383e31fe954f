//===- unit/environment/SamplesTest.cpp -----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Samples/Samples.h"
#include "Environment/Actions/Sources.h"
#include "Environment/Actions/Watch.h"
#include "gtest/gtest.h"

using namespace graupel::environment;

namespace {

const char Plain[] = "no_lbr cycles:u:\n1 main 1a 5\n1 a\\ b 0 3\n";
const char Branches[] = "1 main 1a 1 work 0 2 50\n0 [unknown] 0 1 main 0 0 1\n";

TEST(Samples, ComeBackAsTheyWere) {
  const Samples S(Plain);
  EXPECT_FALSE(S.hasBranches());
  EXPECT_EQ(S.total(), 8);
  EXPECT_EQ(Samples(S.fdata()).rows(), S.rows());
  EXPECT_EQ(S.fdata(), "no_lbr cycles:u:\n1 a\\ b 0 3\n1 main 1a 5\n");
  const Samples B(Branches);
  EXPECT_TRUE(B.hasBranches());
  EXPECT_EQ(B.total(), 51);
  EXPECT_EQ(B.fdata(), "0 [unknown] 0 1 main 0 0 1\n1 main 1a 1 work 0 2 50\n");
}

TEST(Samples, OfOnePlaceAreOneSum) {
  Samples S(Plain);
  S.add(Samples("no_lbr cycles:u:\n1 main 1a 6\n1 main 1c 1\n"));
  EXPECT_EQ(S.rows().at("1 main 1a")[1], 11u);
  EXPECT_EQ(S.rows().size(), 3u);
  Samples B(Branches);
  B.add(Samples(Branches));
  EXPECT_EQ(B.rows().at("1 main 1a 1 work 0"), (Samples::Row{4, 100}));
  Samples Most("1 main 1a 1 work 0 0 18446744073709551615\n");
  Most.add(Samples(Branches));
  EXPECT_EQ(Most.rows().at("1 main 1a 1 work 0")[1], ~uint64_t(0));
}

TEST(Samples, WhatWasSeenStays) {
  Samples S(Plain);
  S.scale(0.5);
  EXPECT_EQ(S.rows().at("1 main 1a")[1], 3u);
  S.scale(1e-9);
  EXPECT_EQ(S.rows().at("1 main 1a")[1], 1u);
}

TEST(Samples, WhatIsNoSampleIsLeftOut) {
  EXPECT_TRUE(Samples("").empty());
  EXPECT_TRUE(Samples("nothing\n1 main x\n1 main 0 -3\n1 2 3 4 5\n").empty());
}

TEST(Sources, ExactCountsGoBeforeSamples) {
  auto best = [](std::vector<Method> Methods) {
    std::vector<ProfileRow> Rows;
    for (Method M : Methods) {
      Rows.emplace_back();
      Rows.back().ProfileMethod = M;
    }
    const auto Best = bestProfile(Rows);
    return Best ? name(Best->ProfileMethod).str() : "";
  };
  EXPECT_EQ(best({}), "");
  EXPECT_EQ(best({Method::Samples}), "samples");
  EXPECT_EQ(best({Method::Samples, Method::BranchSamples}), "branch samples");
  EXPECT_EQ(best({Method::BranchSamples, Method::Samples, Method::Counters}),
            "counters");
  // Of these what came last.
  EXPECT_EQ(best({Method::Samples, Method::Imported, Method::Counters}),
            "imported");
  EXPECT_EQ(best({Method::Counters, Method::Imported}), "counters");
}

TEST(Watch, ChanceIsNoDriftOfSamples) {
  auto two = [](int A, int B) {
    return "no_lbr cycles:u:\n1 f 0 " + std::to_string(A) + "\n1 g 0 " +
           std::to_string(B) + "\n";
  };
  EXPECT_EQ(driftPercent(two(50, 50), two(52, 48)), 0.0);
  EXPECT_NEAR(*driftPercent(two(50000, 50000), two(80000, 20000)), 30, 1);
  EXPECT_NEAR(
      *driftPercent("no_lbr c:\n1 f 0 9999\n", "no_lbr c:\n1 g 0 9999\n"), 100,
      2);
  EXPECT_FALSE(driftPercent(two(1, 1), "1 f 0 1 g 0 0 5\n").has_value());
  EXPECT_FALSE(driftPercent(two(1, 1), "").has_value());
}

} // namespace
