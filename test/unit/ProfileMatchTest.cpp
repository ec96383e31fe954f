//===- unit/ProfileMatchTest.cpp - Profiles of other builds ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileMatch/ProfileMatch.h"
#include "ProfileMatch/Subsequence.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <functional>

using namespace llvm;
using namespace graupel;
using graupel::test::Random;

namespace {

/// A block of five instructions that has nothing in common with those of other
/// \p Kind.
ShapedFunction::Block block(uint32_t Kind, ArrayRef<uint32_t> To) {
  ShapedFunction::Block B;
  const uint32_t Hash = (Kind + 1) * 0x9e3779b9u;
  B.Shape = {Hash, Hash ^ 0x1234, Hash * 2654435761u, 5,
             To.size() > 1 ? BlockShape::Branches
             : To.empty()  ? BlockShape::Returns
                           : BlockShape::Continues};
  B.Successors.assign(To.begin(), To.end());
  return B;
}

/// A loop of three blocks, of kinds from \p Kind on, then a return.
ShapedFunction loop(StringRef Name, uint32_t Kind) {
  ShapedFunction F;
  F.Name = Name;
  F.Blocks = {block(Kind, {1}), block(Kind + 1, {2, 3}), block(Kind + 2, {1}),
              block(Kind + 3, {})};
  return F;
}

ShapedImage image(std::vector<ShapedFunction> Functions) {
  ShapedImage Image;
  Image.Functions = std::move(Functions);
  Image.complete();
  return Image;
}

TEST(Subsequence, LongestIncreasing) {
  EXPECT_TRUE(longestIncreasing({}).empty());
  EXPECT_EQ(longestIncreasing({5, 1, 2, 9, 3}),
            (std::vector<uint32_t>{1, 2, 4}));
  EXPECT_EQ(longestIncreasing({3, 2, 1}).size(), 1u);
}

TEST(Subsequence, AlignmentIsLeastEditDistance) {
  // Against all ways to align short random lists.
  Random Next(7);
  for (int Round = 0; Round < 200; ++Round) {
    const size_t N = Next.below(5), M = Next.below(5);
    std::vector<std::vector<double>> Gain(N, std::vector<double>(M));
    for (auto &Row : Gain)
      for (double &G : Row)
        G = Next.below(7);
    std::function<double(size_t, size_t)> Best = [&](size_t I, size_t J) {
      if (I == N || J == M)
        return 0.0;
      return std::max(
          {Best(I + 1, J), Best(I, J + 1), Gain[I][J] + Best(I + 1, J + 1)});
    };
    double Sum = 0;
    size_t NextI = 0, NextJ = 0;
    alignment(
        N, M, [&](size_t I, size_t J) { return Gain[I][J]; },
        [&](size_t I, size_t J) {
          EXPECT_TRUE(I >= NextI && J >= NextJ);
          NextI = I + 1;
          NextJ = J + 1;
          Sum += Gain[I][J];
        });
    EXPECT_EQ(Sum, Best(0, 0));
  }
}

TEST(ProfileMatch, GraphSignatureIsOfTheGraphAlone) {
  ShapedFunction F = loop("f", 0), G = loop("g", 50);
  EXPECT_EQ(graphSignature(F), graphSignature(G));
  // The same graph with its blocks in another order.
  std::swap(G.Blocks[2], G.Blocks[3]);
  G.Blocks[1].Successors = {3, 2};
  EXPECT_EQ(graphSignature(F), graphSignature(G));
  G.Blocks[1].Successors = {2, 3};
  EXPECT_NE(graphSignature(F), graphSignature(G));
}

TEST(ProfileMatch, FindsFunctionsWithoutNames) {
  // Renamed, removed, added and moved ones.
  const ShapedImage Old =
      image({loop("a", 0), loop("b", 10), loop("c", 20), loop("d", 30)});
  const ShapedImage New =
      image({loop("", 30), loop("", 0), loop("", 90), loop("", 20)});
  const FunctionMatches Matches = matchFunctions(Old, New);
  EXPECT_EQ(Matches.newOf(0), 1u);
  EXPECT_EQ(Matches.newOf(2), 3u);
  EXPECT_EQ(Matches.newOf(3), 0u);
  EXPECT_EQ(Matches.find(0)->By, MatchedBy::Content);
}

TEST(ProfileMatch, ContentOutweighsNames) {
  const ShapedImage Old = image({loop("a", 0), loop("b", 10)});
  const ShapedImage New = image({loop("b", 0), loop("a", 10)});
  const FunctionMatches Matches = matchFunctions(Old, New);
  EXPECT_EQ(Matches.newOf(0), 0u);
  EXPECT_EQ(Matches.newOf(1), 1u);
}

TEST(ProfileMatch, FindsChangedFunctionsByWhoCallsThem) {
  auto caller = [](uint32_t Kind) {
    ShapedFunction F = loop("", Kind);
    F.Blocks[1].Callees = {1};
    return F;
  };
  ShapedFunction Before = loop("", 40), After = loop("", 60);
  After.Blocks[2] = Before.Blocks[2];
  const ShapedImage Old = image({caller(0), Before, loop("", 20)});
  const ShapedImage New = image({caller(0), After, loop("", 20)});
  EXPECT_EQ(matchFunctions(Old, New).newOf(1), 1u);
}

/// Checks that what enters each block leaves it.
void expectFlow(const ShapedFunction &F, const FunctionCounts &Counts) {
  std::vector<uint64_t> In = Counts.Entered;
  for (size_t B = 0; B < F.Blocks.size(); ++B)
    for (size_t I = 0; I < F.Blocks[B].Successors.size(); ++I)
      In[F.Blocks[B].Successors[I]] += Counts.Edges[B][I];
  for (size_t B = 0; B < F.Blocks.size(); ++B) {
    EXPECT_EQ(In[B], Counts.Blocks[B]) << B;
    if (F.Blocks[B].Successors.empty())
      continue;
    uint64_t Out = 0;
    for (uint64_t Count : Counts.Edges[B])
      Out += Count;
    EXPECT_EQ(Out, Counts.Blocks[B]) << B;
  }
}

FunctionCounts loopCounts(const ShapedFunction &F) {
  FunctionCounts Counts(F);
  Counts.Entered[0] = 10;
  Counts.Blocks = {10, 110, 100, 10};
  Counts.Edges[0] = {10};
  Counts.Edges[1] = {100, 10};
  Counts.Edges[2] = {100};
  return Counts;
}

TEST(ProfileMatch, InfersCountsOfInsertedBlocks) {
  const ShapedImage Old = image({loop("f", 0)});
  // The loop got a block behind its second one, and a rare way around it.
  ShapedFunction F = loop("f", 0);
  F.Blocks.push_back(block(70, {1}));
  F.Blocks[2].Successors = {4};
  const ShapedImage New = image({F});
  const FunctionMatches Functions = matchFunctions(Old, New);
  ASSERT_EQ(Functions.newOf(0), 0u);
  const BlockMatches Blocks =
      matchBlocks(Old.Functions[0], New.Functions[0], Functions);
  EXPECT_FALSE(Blocks.SameGraph);
  for (uint32_t B = 0; B < 4; ++B)
    EXPECT_EQ(Blocks.NewOf[B], B);
  const FunctionCounts Counts = transferCounts(
      Old.Functions[0], loopCounts(Old.Functions[0]), New.Functions[0], Blocks);
  EXPECT_EQ(Counts.Blocks, (std::vector<uint64_t>{10, 110, 100, 10, 100}));
  expectFlow(New.Functions[0], Counts);
}

TEST(ProfileMatch, OfTwoCopiesNeighborsTellTheOne) {
  // A loop between a head and a tail; the new build has it twice, first, behind
  // a new test, for what is rare.
  ShapedFunction Before, After;
  Before.Blocks = {block(0, {1}), block(1, {2}), block(2, {1, 3}),
                   block(3, {4}), block(4, {})};
  After.Blocks = {block(0, {1, 4}), block(9, {2}),  block(1, {3}),
                  block(2, {2, 7}), block(1, {5}),  block(2, {4, 6}),
                  block(3, {8}),    block(10, {8}), block(4, {})};
  // The test made another block of the head.
  After.Blocks[0].Shape.Exit = BlockShape::Branches;
  const ShapedImage Old = image({Before}), New = image({After});
  const BlockMatches Blocks =
      matchBlocks(Old.Functions[0], New.Functions[0], FunctionMatches(1, 1));
  EXPECT_EQ(Blocks.NewOf[1], 4u);
  EXPECT_EQ(Blocks.NewOf[2], 5u);
  EXPECT_EQ(Blocks.NewOf[3], 6u);
}

TEST(ProfileMatch, ABranchWithANewWayOutIsAnotherBranch) {
  // A loop whose test leads into the middle of its body now, rarely, and
  // otherwise to a test of its end.
  ShapedFunction Before = loop("f", 0), After;
  After.Blocks = {block(0, {1}),  block(1, {4, 2}), block(70, {3, 5}),
                  block(71, {4}), block(72, {1}),   block(3, {})};
  for (uint32_t Half : {3, 4}) {
    After.Blocks[Half].Shape.Sketch = Before.Blocks[2].Shape.Sketch;
    After.Blocks[Half].Shape.Instructions = Half - 1;
  }
  After.Blocks[4].Shape.Mnemonics = Before.Blocks[2].Shape.Mnemonics;
  const ShapedImage Old = image({Before}), New = image({After});
  const BlockMatches Blocks =
      matchBlocks(Old.Functions[0], New.Functions[0], FunctionMatches(1, 1));
  EXPECT_EQ(Blocks.NewOf[1], 1u);
  EXPECT_EQ(Blocks.NewOf[2], 4u);
  EXPECT_EQ(Blocks.Parts, (std::vector<std::pair<uint32_t, uint32_t>>{{2, 3}}));
  const FunctionCounts Counts = transferCounts(
      Old.Functions[0], loopCounts(Old.Functions[0]), New.Functions[0], Blocks);
  EXPECT_EQ(Counts.Blocks, (std::vector<uint64_t>{10, 110, 110, 100, 100, 10}));
  EXPECT_EQ(Counts.Edges[1][0], 0u);
  expectFlow(New.Functions[0], Counts);
}

TEST(ProfileMatch, OtherNamesNeedMoreThanALittleInCommon) {
  // A function that went and one that came, at one place of the list. They
  // share a block of four.
  ShapedFunction Gone = loop("gone", 40), Came = loop("came", 60);
  Came.Blocks[1] = Gone.Blocks[1];
  const auto newOf = [&] {
    const ShapedImage Old = image({loop("a", 0), Gone, loop("b", 20)});
    const ShapedImage New = image({loop("a", 0), Came, loop("b", 20)});
    return matchFunctions(Old, New).newOf(1);
  };
  EXPECT_EQ(newOf(), std::nullopt);
  // Nothing speaks against it if one has no name.
  Came.Name = "";
  EXPECT_EQ(newOf(), 1u);
}

TEST(ProfileMatch, CopiesCountsOfTheSameGraph) {
  const ShapedImage Old = image({loop("f", 0)});
  ShapedFunction F = loop("f", 0);
  std::swap(F.Blocks[2], F.Blocks[3]);
  F.Blocks[1].Successors = {3, 2};
  const ShapedImage New = image({F});
  const FunctionMatches Functions = matchFunctions(Old, New);
  const BlockMatches Blocks =
      matchBlocks(Old.Functions[0], New.Functions[0], Functions);
  EXPECT_TRUE(Blocks.SameGraph);
  const FunctionCounts Counts = transferCounts(
      Old.Functions[0], loopCounts(Old.Functions[0]), New.Functions[0], Blocks);
  EXPECT_EQ(Counts.Blocks, (std::vector<uint64_t>{10, 110, 10, 100}));
  expectFlow(New.Functions[0], Counts);
}

TEST(ProfileMatch, CountsMayBeAsLargeAsTheyGet) {
  const ShapedImage Old = image({loop("f", 0)});
  ShapedFunction F = loop("f", 0);
  F.Blocks.push_back(block(70, {1}));
  F.Blocks[2].Successors = {4};
  const ShapedImage New = image({F});
  FunctionCounts Counts(Old.Functions[0]);
  for (uint64_t &Count : Counts.Blocks)
    Count = UINT64_MAX;
  for (auto &Edges : Counts.Edges)
    for (uint64_t &Count : Edges)
      Count = UINT64_MAX / 2;
  Counts.Entered[0] = UINT64_MAX;
  const FunctionMatches Functions = matchFunctions(Old, New);
  const FunctionCounts Result = transferCounts(
      Old.Functions[0], Counts, New.Functions[0],
      matchBlocks(Old.Functions[0], New.Functions[0], Functions));
  EXPECT_GT(Result.Blocks[1], UINT64_MAX / 4);
}

TEST(ProfileMatch, AnyGraphGetsAFlow) {
  // Graphs with endless loops, blocks that nothing leads to, and edges twice;
  // whatever is matched with whatever.
  Random Next(11);
  for (int Round = 0; Round < 100; ++Round) {
    auto graph = [&] {
      ShapedFunction F;
      const uint32_t N = 1 + Next.below(8);
      for (uint32_t B = 0; B < N; ++B) {
        SmallVector<uint32_t, 3> To;
        for (uint32_t I = Next.below(4); I; --I)
          To.push_back(Next.below(N));
        F.Blocks.push_back(block(Next.below(6), To));
        F.Blocks.back().IsEntered = B && Next.below(5) == 0;
      }
      return F;
    };
    const ShapedImage Old = image({graph()}), New = image({graph()});
    FunctionMatches Functions(1, 1);
    Functions.add({0, 0, MatchedBy::Name, 0});
    FunctionCounts Counts(Old.Functions[0]);
    for (uint64_t &Count : Counts.Blocks)
      Count = Next.below(1000);
    const BlockMatches Blocks =
        matchBlocks(Old.Functions[0], New.Functions[0], Functions);
    std::vector<bool> Taken(New.Functions[0].Blocks.size());
    for (std::optional<uint32_t> B : Blocks.NewOf)
      if (B) {
        ASSERT_LT(*B, Taken.size());
        EXPECT_FALSE(Taken[*B]);
        Taken[*B] = true;
      }
    const FunctionCounts Result =
        transferCounts(Old.Functions[0], Counts, New.Functions[0], Blocks);
    EXPECT_EQ(Result.Blocks.size(), Taken.size());
  }
}

/// A profile of "f", a loop, with or without shapes.
Profile profile(bool WithShapes) {
  MetadataWriter Writer;
  FunctionProfile F;
  F.Name = Writer.addName("f");
  F.Blocks = {0, 8, 16, 24};
  F.Edges = {{4, 0, std::nullopt, true}, {0, 1, 4, false},
             {1, 2, 12, true},           {1, 3, 12, false},
             {2, 1, 20, false},          {3, 4, std::nullopt, false}};
  if (WithShapes)
    for (const ShapedFunction::Block &B : loop("f", 0).Blocks)
      F.Shapes.push_back(B.Shape);
  Writer.add(F);
  Profile P;
  P.MetadataBytes = Writer.finish(0);
  P.Header = makeHeader(P.MetadataBytes, {}, 0, 2, 0);
  P.Header.version = WithShapes ? 2 : 1;
  P.Meta = cantFail(readMetadata(P.MetadataBytes, 2, 0));
  P.Counters = {10, 100};
  return cantFail(readProfile(P.seal()));
}

TEST(ProfileMatch, ShapesSurviveTheFile) {
  const Profile P = profile(true);
  ASSERT_EQ(P.Meta.Functions[0].Shapes.size(), 4u);
  for (uint32_t B = 0; B < 4; ++B)
    EXPECT_EQ(P.Meta.Functions[0].Shapes[B], loop("f", 0).Blocks[B].Shape);
}

TEST(ProfileMatch, SitesAreInTheBlocksBeforeThem) {
  Profile P;
  P.Meta.Functions.resize(2);
  P.Meta.Functions[0].Blocks = {0, 8, 16};
  P.Meta.Functions[0].Sites = {2, 9, 15, 16};
  P.Meta.Functions[1].Blocks = {0, 24, 8}; // In another order in memory.
  P.Meta.Functions[1].Sites = {9, 30, 25};
  EXPECT_EQ(sitePlaces(P), (std::vector<SitePlace>{{0, 0, 0},
                                                   {0, 1, 0},
                                                   {0, 1, 1},
                                                   {0, 2, 0},
                                                   {1, 2, 0},
                                                   {1, 1, 0},
                                                   {1, 1, 1}}));
}

TEST(ProfileMatch, MatchesProfilesOfBothFormats) {
  for (bool WithShapes : {false, true}) {
    const Profile P = profile(WithShapes);
    EXPECT_EQ(P.Header.version, WithShapes ? 2u : 1u);
    ShapedImage New;
    New.Functions = {loop("other", 30), loop("f", 0)};
    const ProfileMatch Match(P, New);
    ASSERT_TRUE(Match.counts().count(1));
    EXPECT_EQ(Match.counts().at(1).Blocks,
              (std::vector<uint64_t>{10, 110, 100, 10}));
    EXPECT_EQ(Match.keptShare(), 1);
    std::string Text;
    raw_string_ostream OS(Text);
    Match.printSummary(OS);
    EXPECT_NE(Text.find("matched 1 of 1 executed functions, with 100.0 %"),
              std::string::npos);
  }
}

} // namespace
