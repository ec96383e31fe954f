//===- unit/environment/SourcesTest.cpp ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Sources.h"
#include "Environment/Actions/Profiles.h"
#include "Environment/Actions/Watch.h"
#include "Folder.h"

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;

namespace {

/// The image after a build with this content, each a second after the other.
Image build(Environment &E, char Letter) {
  Image I;
  I.Path = "/bin/app";
  I.Content = std::string(64, Letter);
  I.BuildID = "010203";
  Transaction T(E.database());
  E.database().execute("UPDATE image_contents SET since=since-1");
  I.Id = putImage(E.database(), I);
  cantFail(T.commit());
  return I;
}

void count(Environment &E, const Image &I, uint64_t Count) {
  cantFail(mergeProfile(E, I.Content, I.Content + std::to_string(Count),
                        countersFile(Count), 0));
}

std::string contents(const std::vector<ProfileSource> &Sources) {
  std::string Text;
  for (const ProfileSource &S : Sources)
    Text += S.Row.Content.substr(0, 1) + (S.IsOlder ? "" : "!");
  return Text;
}

TEST(Sources, OwnCountsThenTheLastBuilds) {
  Folder F;
  auto E = F.open();
  auto sources = [&](const Image &I) {
    return contents(profileSources(E->database(), I));
  };
  EXPECT_EQ(sources(build(*E, 'a')), "");
  count(*E, build(*E, 'a'), 1);
  EXPECT_EQ(sources(build(*E, 'a')), "a!");
  EXPECT_EQ(sources(build(*E, 'b')), "a");
  for (char Letter : {'b', 'c', 'd', 'e'})
    count(*E, build(*E, Letter), 2);
  EXPECT_EQ(sources(build(*E, 'e')), "e!dcb");
  EXPECT_EQ(sources(build(*E, 'f')), "edcb");
  // What is there again is the last one.
  build(*E, 'a');
  EXPECT_EQ(sources(build(*E, 'f')), "aedc");
}

TEST(Sources, SamplesWithoutBranchesAreTheLastResort) {
  Folder F;
  auto E = F.open();
  auto sources = [&](const Image &I) {
    return contents(profileSources(E->database(), I));
  };
  auto sample = [&](const Image &I, const char *Fdata) {
    cantFail(mergeSamples(*E, I.Content, I.Content + Fdata, Samples(Fdata), 0));
  };
  count(*E, build(*E, 'a'), 1);
  sample(build(*E, 'b'), "no_lbr cycles:u:\n1 work 0 5\n");
  auto Sources = profileSources(E->database(), build(*E, 'b'));
  EXPECT_EQ(contents(Sources), "ab!");
  EXPECT_EQ(ownProfile(Sources)->Row.ProfileMethod, Method::Samples);
  EXPECT_EQ(takeLastResort(Sources)->Row.ProfileMethod, Method::Samples);
  EXPECT_EQ(contents(Sources), "a");
  EXPECT_FALSE(takeLastResort(Sources).has_value());
  EXPECT_EQ(ownProfile(Sources), nullptr);
  // Those with branches are better than other builds.
  sample(build(*E, 'b'), "1 work 0 1 work 4 0 5\n");
  EXPECT_EQ(sources(build(*E, 'b')), "b!");
  // There is nothing else of the next one: samples are of one build.
  EXPECT_EQ(sources(build(*E, 'c')), "a");
  count(*E, build(*E, 'b'), 1);
  EXPECT_EQ(sources(build(*E, 'b')), "b!a");
}

TEST(Sources, OtherCountsAreAnotherIdentity) {
  Folder F;
  auto E = F.open();
  const Image I = build(*E, 'a');
  auto identity = [&] { return identityOf(profileSources(E->database(), I)); };
  count(*E, I, 1);
  const std::string First = identity();
  EXPECT_EQ(First, identity());
  count(*E, I, 5);
  EXPECT_NE(First, identity());
}

TEST(Sources, ResultsComeBack) {
  std::vector<Result> All{{"lines_before", 3}};
  addResults({}, All);
  EXPECT_EQ(All.size(), 1u);
  EXPECT_EQ(sentence(takeResults(All)), "");
  addResults({false, 1, 98.76}, All);
  EXPECT_EQ(sentence(takeResults(All)),
            "profile of an older build, 98.8 % matched");
  addResults({true, 2, {}}, All);
  EXPECT_EQ(sentence(takeResults(All)),
            "profile with counts of 2 older builds");
  EXPECT_EQ(All.size(), 1u);
}

TEST(Watch, DriftIsOfSharesNotOfCounts) {
  EXPECT_EQ(driftPercent(countersFile(3), countersFile(300)), 0.0);
  EXPECT_FALSE(driftPercent(countersFile(3), countersFile(0)).has_value());
  EXPECT_FALSE(driftPercent(countersFile(3), "no profile").has_value());
  EXPECT_FALSE(driftPercent("", countersFile(3)).has_value());
}

} // namespace
