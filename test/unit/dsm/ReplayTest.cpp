//===- ReplayTest.cpp - Predictions from logs made by hand ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dsm/Analysis/Accesses.h"
#include "Dsm/Analysis/Placements.h"
#include <gtest/gtest.h>

using namespace graupel::dsm;

namespace {

/// A log of one allocation in blocks of 128 bytes, on four nodes.
struct ReplayTest : testing::Test {
  static constexpr uint64_t Block = 128;
  static constexpr int Nodes = 4;
  std::vector<Access> Log;
  uint32_t Epoch = 0;
  int Home = 0;

  void load(int Node, uint64_t Offset, uint64_t Bytes = 8) {
    add(Node, Offset, Bytes, false);
  }
  void store(int Node, uint64_t Offset, uint64_t Bytes = 8) {
    add(Node, Offset, Bytes, true);
  }
  void add(int Node, uint64_t Offset, uint64_t Bytes, bool Store) {
    Log.push_back({0x10000, Offset, Offset + Bytes - 1, Log.size(), Epoch, Node,
                   Home, Store, true, 0});
  }
  Replay replay() const { return Replay(Log, Block, Nodes, 1); }
  Prediction predict(uint64_t Bytes, int At = Placement::AsRecorded) const {
    return replay().predict({Bytes, At});
  }
};

TEST_F(ReplayTest, RecordedBlocksMissAsRecorded) {
  // One writes at home, all others read, five times.
  store(0, 0); // The page is mapped.
  for (int Round = 0; Round != 5; ++Round) {
    ++Epoch;
    for (int Node = 1; Node != Nodes; ++Node)
      load(Node, 0);
    ++Epoch;
    store(0, 0);
  }
  Prediction P = predict(Block);
  EXPECT_EQ(P.Least.Misses, Log.size());
  EXPECT_EQ(P.Most.Misses, Log.size());
  // Request and answer of 15 loads, invalidation and acknowledgement as often.
  EXPECT_EQ(P.Least.Messages, 60u);
}

TEST_F(ReplayTest, MessagesOfAThirdNodesBlock) {
  store(1, 0); // GetRW, DataRW.
  load(2, 0);  // GetRO, InvalidateRW, WriteBack, DataRO: node 1 loses it.
  load(1, 0);  // GetRO, DataRO.
  store(2, 0); // Upgrade, UpgradeOK, InvalidateRO, Ack.
  load(0, 0);  // Downgrade, WriteBack: node 2 keeps a copy.
  EXPECT_EQ(predict(Block).Least.Misses, 5u);
  EXPECT_EQ(predict(Block).Least.Messages, 2u + 4 + 2 + 4 + 2);
}

TEST_F(ReplayTest, LargerBlocksSaveWhatIsReadInARow) {
  for (uint64_t I = 0; I != 64; ++I)
    load(1, I * Block);
  EXPECT_EQ(predict(Block).Least.Misses, 64u);
  EXPECT_EQ(predict(1024).Least.Misses, 8u);
  EXPECT_EQ(predict(4096).Most.Misses, 2u);
  EXPECT_EQ(chooseBlock(replay(), {Block}).Block, 4096u);
}

TEST_F(ReplayTest, LargerBlocksBringFalseSharing) {
  // Two nodes by turns store to blocks side by side.
  Home = 3;
  for (int Round = 0; Round != 50; ++Round) {
    store(1, 0);
    load(3, 0);
    store(2, Block);
    load(3, Block);
  }
  EXPECT_EQ(predict(Block).Least.Misses, 200u);
  EXPECT_GE(predict(256).Least.Misses, 200u);
  EXPECT_EQ(chooseBlock(replay(), {Block}).Block, Block);
}

TEST_F(ReplayTest, HitsOfTheRecordMayMissWithLargerBlocks) {
  // Node 1 keeps its block for ever; node 2 and home share the next one.
  store(1, 0);
  for (int Round = 0; Round != 20; ++Round) {
    ++Epoch;
    store(2, Block);
    ++Epoch;
    load(0, Block);
  }
  Prediction P = predict(256);
  EXPECT_EQ(P.Least.Misses, predict(Block).Least.Misses);
  // Node 1 takes it back about once an epoch.
  EXPECT_GT(P.Most.Misses, P.Least.Misses + 15);
  EXPECT_EQ(chooseBlock(replay(), {Block}).Block, Block);
}

TEST_F(ReplayTest, SmallerBlocksKeepApart) {
  for (int Round = 0; Round != 50; ++Round) {
    store(1, 0);
    store(2, 64);
  }
  EXPECT_EQ(predict(Block).Least.Misses, 100u);
  EXPECT_EQ(predict(64).Most.Misses, 2u);
  EXPECT_EQ(predict(32).Most.Misses, 2u);
  // The larger of equals.
  EXPECT_EQ(chooseBlock(replay(), {Block}).Block, 64u);
}

TEST_F(ReplayTest, SmallerBlocksMissForAllThatAVisitMayTouch) {
  // Node 1 uses all four quarters, by what it missed first each time.
  for (int Round = 0; Round != 40; ++Round) {
    store(2, 0, 128);
    load(1, uint64_t(Round % 4) * 32);
  }
  Prediction P = predict(32);
  // The first store misses in all quarters, others in the one that was read.
  EXPECT_EQ(P.Least.Misses, 4u + 39 + 40);
  EXPECT_EQ(P.Most.Misses, 40u * 4 + 40 * 4);
}

TEST_F(ReplayTest, AllocationsShareNoBlock) {
  for (uint64_t I = 0; I != 32; ++I)
    Log.push_back({0x10000 + I * Block, 0, 63, I, 0, 1, 0, false, true, 0});
  EXPECT_EQ(predict(4096).Least.Misses, 32u);
  EXPECT_EQ(replay().largestBlock(), Block);
}

TEST_F(ReplayTest, LargerBlocksDoNotMoveBetweenOldPages) {
  // The allocation began in the middle of a page of the record.
  Epoch = 1;
  for (int Round = 0; Round != 10; ++Round) {
    ++Epoch;
    for (uint64_t I = 0; I != 8; ++I) {
      Home = I < 4 ? 0 : 1;
      store(2, I * Block);
    }
    ++Epoch;
    for (uint64_t I = 0; I != 8; ++I) {
      Home = I < 4 ? 0 : 1;
      load(3, I * Block);
    }
  }
  EXPECT_EQ(predict(Block).Least.Misses, 160u);
  EXPECT_EQ(predict(1024).Most.Misses, 20u);
}

TEST_F(ReplayTest, HomeAtTheWriterSavesMessages) {
  for (int Round = 0; Round != 30; ++Round) {
    store(2, 0);
    load(1, 0);
  }
  EXPECT_EQ(chooseHome(replay(), {Block}, Nodes).Home, 2);
  EXPECT_LT(predict(Block, 2).Most.Messages, predict(Block).Most.Messages);
  // One more: the mapping of home's page.
  EXPECT_LE(predict(Block, 2).Most.Misses, predict(Block).Most.Misses + 1);
}

TEST_F(ReplayTest, EachPageAtHomeWithItsWriter) {
  Epoch = 1; // The first gdsm_parallel has begun.
  for (int Round = 0; Round != 30; ++Round)
    for (int Node = 0; Node != Nodes; ++Node) {
      store(Node, uint64_t(Node) * 4096);
      load((Node + 1) % Nodes, uint64_t(Node) * 4096);
    }
  EXPECT_EQ(chooseHome(replay(), {Block}, Nodes).Home, -1); // By its luck.
  Log.erase(Log.begin(), Log.begin() + 2 * Nodes);
  for (Access &A : Log)
    A.First += 4096, A.Last += 4096;
  EXPECT_EQ(chooseHome(replay(), {Block}, Nodes).Home, -2);
}

TEST_F(ReplayTest, WhoLoadsAndThenStoresCouldFetchToWrite) {
  for (int Round = 0; Round != 10; ++Round) {
    int Node = 1 + Round % 3;
    load(Node, 0);
    store(Node, 0);
  }
  EXPECT_EQ(predict(Block).Least.Misses, 20u);
  EXPECT_EQ(predict(Block).Least.LoadedBefore, 10u);
  Log.clear();
  for (int Round = 0; Round != 10; ++Round) {
    load(1, 0);
    load(2, 0);
    store(1, 0);
  }
  EXPECT_EQ(predict(Block).Least.LoadedBefore, 0u);
}

TEST_F(ReplayTest, LonelyLoadsSideBySideCouldBeFetchedTogether) {
  for (int Round = 0; Round != 3; ++Round) {
    ++Epoch;
    for (uint64_t I = 0; I != 64; ++I)
      store(0, I * Block);
    ++Epoch;
    for (uint64_t I = 0; I != 64; ++I)
      load(1, I * 37 % 64 * Block); // In any order.
  }
  std::vector<BulkFetch> F = findBulkFetches(replay(), {Block});
  ASSERT_EQ(F.size(), 1u);
  EXPECT_EQ(F[0].Bytes, 64 * Block);
  EXPECT_EQ(F[0].Waits, 192u);
  EXPECT_EQ(F[0].WaitsThen, 6u);
  EXPECT_EQ(F[0].MissesMost, 192u);
  for (Access &A : Log)
    A.Alone = false;
  EXPECT_TRUE(findBulkFetches(replay(), {Block}).empty());
}

TEST_F(ReplayTest, PatternsAreRecognized) {
  auto Find = [&] { return findPattern(Log, Block, Nodes); };
  store(0, 0);
  load(1, 0);
  EXPECT_EQ(Find().OneWriter, 2u);
  load(2, 0);
  load(3, 0);
  EXPECT_EQ(Find().OneWriterAllRead, 4u);
  store(1, 8);
  EXPECT_EQ(Find().Written, 5u);
  EXPECT_EQ(Find().Apart, 8u);
  Log.clear();
  load(1, 0);
  EXPECT_EQ(Find().ReadOnly, 1u);
  store(1, 0);
  EXPECT_EQ(Find().OneUser, 2u);
  load(2, 0);
  store(2, 0);
  EXPECT_EQ(Find().Passed, 4u);
  EXPECT_EQ(Find().Apart, 0u);
}

} // namespace
