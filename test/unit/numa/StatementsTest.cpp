//===- StatementsTest.cpp - The language of placement files ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/PlacementFile/Statements.h"
#include <gtest/gtest.h>

using namespace graupel::numa;

namespace {

std::optional<std::string> variable(const std::string &Name) {
  if (Name == "N")
    return "3";
  return std::nullopt;
}

std::vector<Statement> read(const std::string &Text) {
  std::vector<Statement> S;
  auto Wrong = readStatements(Text, variable, S);
  EXPECT_FALSE(Wrong) << *Wrong;
  return S;
}

std::string wrong(const std::string &Text) {
  std::vector<Statement> S;
  return readStatements(Text, variable, S).value_or("");
}

TEST(Statements, Places) {
  auto S = read("# nothing\n\n"
                "place heap main.c:31 on memory 1 mandatory  # why\n"
                "place global table round-robin over nodes 0,2-3 \\\n"
                "  weights 1,2,3 unit 64K\n"
                "place data interleave\nplace default first-touch\n");
  ASSERT_EQ(S.size(), 4u);
  EXPECT_EQ(S[0].Line, 3u);
  EXPECT_EQ(S[0].Target.Name, "main.c:31");
  EXPECT_EQ(S[0].Text, "place heap main.c:31 on memory 1 mandatory");
  EXPECT_TRUE(S[0].Rule.Homes[0].IsMemory);
  EXPECT_TRUE(S[0].Rule.Mandatory);
  EXPECT_EQ(S[1].Line, 4u);
  EXPECT_EQ(S[1].Rule.Homes.size(), 3u);
  EXPECT_EQ(S[1].Rule.Homes[2].Number, 3u);
  EXPECT_EQ(S[1].Rule.Weights, (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(S[1].Rule.Unit, 65536u);
  EXPECT_EQ(S[2].Line, 6u);
  EXPECT_EQ(S[2].Kind, Statement::PlaceData);
}

TEST(Statements, ThreadsAreDistributed) {
  auto S = read("distribute threads 0-5 across nodes 0-2 block\n"
                "distribute threads 0-5 across memories 0-2 cyclic pinned\n"
                "run thread $N on node ${N}\n");
  ASSERT_EQ(S.size(), 13u);
  for (unsigned N = 0; N < 6; ++N) {
    EXPECT_EQ(S[N].Thread, N);
    EXPECT_EQ(S[N].Where.Number, N / 2);
    EXPECT_EQ(S[6 + N].Where.Number, N % 3);
    EXPECT_TRUE(S[6 + N].Pinned);
  }
  EXPECT_EQ(S[12].Thread, 3u);
}

TEST(Statements, Memories) {
  auto S = read("memories 4 size 1G radius 1 in topology cube near eth0 near "
                "node2 mandatory\n");
  ASSERT_EQ(S.size(), 1u);
  EXPECT_TRUE(S[0].Cube && S[0].Mandatory);
  EXPECT_EQ(S[0].Near, (std::vector<std::string>{"eth0", "node2"}));
  EXPECT_EQ(read("memories 2 in topology physical 3,1")[0].Nodes,
            (std::vector<unsigned>{3, 1}));
}

TEST(Statements, ResolvedPlacesAreReadAgain) {
  Place P;
  P.Module = "0af3";
  P.Ranges = {{0x1000, 0x1010}, {0xfff, 0x12345}};
  EXPECT_EQ(textOf(P), "@0af3:1000-1010,fff-12345");
  auto S = read("place heap " + textOf(P) +
                " interleave #= place heap a.c:1 interleave\n");
  ASSERT_EQ(S.size(), 1u);
  EXPECT_TRUE(S[0].Target.resolved());
  EXPECT_EQ(S[0].Target.Module, P.Module);
  EXPECT_EQ(S[0].Target.Ranges, P.Ranges);
  EXPECT_EQ(S[0].Text, "place heap a.c:1 interleave");
}

TEST(Statements, AtAFunction) {
  auto S = read("at solve place heap a.c:1 block over nodes 1,0\n"
                "at solve place global g next-touch\nplace heap f replicate\n");
  ASSERT_EQ(S.size(), 3u);
  EXPECT_EQ(S[0].When->Name, "solve");
  EXPECT_EQ(S[0].Target.Name, "a.c:1");
  EXPECT_EQ(S[1].Rule.Kind, PlacementRule::NextTouch);
  EXPECT_EQ(S[2].Rule.Kind, PlacementRule::Replicate);
  EXPECT_FALSE(S[2].When);
}

TEST(Statements, Mistakes) {
  const std::pair<const char *, const char *> Cases[] = {
      {"\nput x", "line 2: `put` is no statement"},
      {"run thread 0 on node ${N", "`${N` has no }"},
      {"run thread ${N on node 0", "`${N` has no }"},
      {"place x", "`x` cannot be placed"},
      {"at f run thread 1 on node 0", "there should be `place`"},
      {"at f place data interleave", "`data` cannot be placed later"},
      {"place heap f next-touch", "it does not say when"},
      {"at f place heap g replicate", "only heap and global can be"},
      {"place data replicate", "only heap and global can be"},
      {"place heap", "the name is missing"},
      {"place heap f", "it does not say how"},
      {"place heap f somewhere", "`somewhere` is no policy"},
      {"place heap f on 3", "say node N or memory N"},
      {"place heap f on node", "its number is missing"},
      {"place heap f interleave over nodes x", "numbers are missing"},
      {"place heap f round-robin weights 1,2", "2 weights for 0 nodes"},
      {"place heap f on node 1 twice", "`twice` is too much"},
      {"place heap @x interleave", "`@x` is no place"},
      {"place heap @x:5-1 interleave", "is no place"},
      {"run thread 1", "there should be `on` at the end"},
      {"run thread $NOBODY on node 1", "there is no variable `$NOBODY`"},
      {"memories 0", "there can be 1 to 64"},
      {"memories 1\nmemories 1", "line 2: memories have been made in line 1"},
      {"memories 2 in topology physical 1", "1 nodes for 2 memories"},
      {"memories 2 in topology ring", "`ring` is no topology"},
      {"distribute threads 0-3 across 0-3", "say nodes LIST or memories LIST"},
  };
  for (auto [Text, Message] : Cases)
    EXPECT_NE(wrong(Text).find(Message), std::string::npos)
        << Text << ": " << wrong(Text);
}

} // namespace
