//===- GlobalsTest.cpp - Tests of shared globals --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Base/SharedAddresses.h"
#include "Node/Ranges.h"
#include "TestNode.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace graupel::dsm;
using namespace graupel::dsm::test;

namespace {

alignas(PageBytes) unsigned char Contents[2 * PageBytes] = {1, 2, 3};
alignas(PageBytes) unsigned char Private[PageBytes] = {7};
alignas(PageBytes) unsigned char Zeros[300 * PageBytes];

uintptr_t addressOf(const void *P) { return reinterpret_cast<uintptr_t>(P); }

TEST(SharedAddresses, RegionAlone) {
  SharedAddresses S;
  EXPECT_FALSE(S.contains(0x1000));
  S.RegionStart = uintptr_t(16) << 40;
  EXPECT_TRUE(S.contains(S.RegionStart + RegionBytes - 1));
  EXPECT_FALSE(S.contains(S.RegionStart + RegionBytes));
  EXPECT_EQ(S.behind(0).Start, S.RegionStart);
  EXPECT_EQ(S.behind(S.RegionStart + RegionBytes).Start, NoAddress);
}

TEST(SharedAddresses, RunsOnBothSidesOfTheRegion) {
  const graupel::dsm::Run Runs[] = {
      {0x1000, 0x3000},
      {0x5000, 0x6000},
      {uintptr_t(100) << 40, (uintptr_t(100) << 40) + 0x1000}};
  SharedAddresses S = {uintptr_t(16) << 40, Runs, 3};
  EXPECT_FALSE(S.isGlobal(0xfff));
  EXPECT_TRUE(S.isGlobal(0x1000));
  EXPECT_TRUE(S.isGlobal(0x2fff));
  EXPECT_FALSE(S.isGlobal(0x3000));
  EXPECT_TRUE(S.isGlobal(0x5fff));
  EXPECT_FALSE(S.isGlobal(S.RegionStart));
  EXPECT_FALSE(S.isGlobal((uintptr_t(100) << 40) + 0x1000));
  EXPECT_EQ(S.behind(0x2fff).Start, 0x1000u);
  EXPECT_EQ(S.behind(0x3000).Start, 0x5000u);
  EXPECT_EQ(S.behind(0x6000).Start, S.RegionStart);
  EXPECT_EQ(S.behind(S.RegionStart + RegionBytes).Start, Runs[2].Start);
  EXPECT_EQ(S.behind(Runs[2].End).Start, NoAddress);
}

/// The runs are opened once.
void open() {
  static bool Done = false;
  if (Done)
    return;
  Done = true;
  std::vector<GlobalRun> Runs = {
      {{addressOf(Contents), addressOf(Contents) + sizeof(Contents)}, false},
      {{addressOf(Zeros), addressOf(Zeros) + sizeof(Zeros)}, true}};
  if (Runs[1].Start < Runs[0].Start)
    std::swap(Runs[0], Runs[1]);
  node().Shared.openGlobals(Runs, 64, 0);
}

uintptr_t refused(const void *P, size_t Bytes) {
  return firstRefused(node().Tags, node().Shared.addresses(), {P, Bytes << 1});
}

TEST(Globals, AreInvalidAndHoldTheSentinel) {
  open();
  for (const unsigned char *P : {Contents + PageBytes, Zeros + PageBytes}) {
    uint32_t Word;
    memcpy(&Word, P, 4);
    EXPECT_EQ(Word, GRAUPEL_DSM_SENTINEL);
    EXPECT_EQ(refused(P + 5, 10), addressOf(P + 5));
  }
  // All tags, also those of whole pages of tags; and none of a neighbor's.
  for (size_t I = 0; I != sizeof(Zeros); I += GranuleBytes)
    ASSERT_EQ(*node().Tags.tag(addressOf(Zeros + I)), GRAUPEL_DSM_TAG_INVALID);
  EXPECT_EQ(refused(Private, sizeof(Private)), NoAddress);
  EXPECT_EQ(Private[0], 7);
  EXPECT_EQ(node().Shared.chunk(addressOf(Zeros)).Block, 64u);
  EXPECT_EQ(node().Shared.openBytes(addressOf(Contents) + 1, 1 << 20),
            sizeof(Contents) - 1);
}

/// Anybody could have written there before the job began.
TEST(GlobalsDeathTest, ZerosThatAreNone) {
  alignas(PageBytes) static unsigned char Written[4 * PageBytes];
  Written[2 * PageBytes + 9] = 1;
  EXPECT_DEATH(
      {
        Region Other;
        Other.openGlobals(
            {{{addressOf(Written), addressOf(Written) + sizeof(Written)},
              true}},
            64, 0);
      },
      "was written before the job began");
}

TEST(Globals, BeginWithTheirContents) {
  open();
  Locked Lock(node().Dispatch);
  for (unsigned char *P : {Contents, Zeros + 4 * PageBytes}) {
    node().Shared.page(addressOf(P)).Mapped = 1;
    node().Access.map(addressOf(P), TEMPEST_READ_WRITE);
    EXPECT_EQ(refused(P, PageBytes), NoAddress);
  }
  EXPECT_EQ(Contents[1], 2);
  EXPECT_EQ(Contents[100], 0);
  EXPECT_EQ(Zeros[4 * PageBytes], 0);
  // Elsewhere: not here.
  node().Access.map(addressOf(Contents) + PageBytes, TEMPEST_INVALID);
  EXPECT_EQ(refused(Contents, sizeof(Contents)),
            addressOf(Contents) + PageBytes);
}

} // namespace
