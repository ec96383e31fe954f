//===- AccessControlTest.cpp - Tags, summaries, and data under them -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/AccessControl.h"
#include "TestNode.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace graupel::dsm;
using test::node;

namespace {

uint8_t summary(uintptr_t A) { return *node().Tags.summary(A); }
uint8_t tag(uintptr_t A) { return *node().Tags.tag(A); }
uint32_t word(uintptr_t A) { return *reinterpret_cast<volatile uint32_t *>(A); }

class AccessControlTest : public ::testing::Test {
protected:
  AccessControlTest() : A(node().Access) {}
  /// A mapped page with blocks of 64 bytes.
  uintptr_t page(tempest_tag Tag) {
    uintptr_t P = test::openPages(64);
    map(P, Tag);
    return P;
  }
  void map(uintptr_t P, tempest_tag Tag) {
    node().Shared.page(P).Mapped = 1;
    A.map(P, Tag);
  }
  AccessControl &A;
};

TEST_F(AccessControlTest, OpenMemoryIsInvalidAndHoldsTheSentinel) {
  uintptr_t P = test::openPages(64);
  for (uintptr_t At : {P, P + 5000, P + ChunkBytes - 32}) {
    EXPECT_EQ(tag(At), TEMPEST_INVALID);
    EXPECT_LT(static_cast<int8_t>(summary(At)), 0);
    EXPECT_EQ(word(At), GRAUPEL_DSM_SENTINEL);
  }
}

TEST_F(AccessControlTest, PrivateMemoryPermitsEverything) {
  static int Global;
  int Local;
  for (void *P : {static_cast<void *>(&Global), static_cast<void *>(&Local),
                  reinterpret_cast<void *>(uintptr_t(0x7ffffffff000))}) {
    auto At = reinterpret_cast<uintptr_t>(P);
    EXPECT_EQ(tag(At), 0);
    EXPECT_EQ(summary(At), 0);
  }
}

TEST_F(AccessControlTest, MappedPages) {
  uintptr_t P = page(TEMPEST_READ_WRITE);
  EXPECT_EQ(summary(P), 0);
  EXPECT_EQ(word(P + 4092), 0u);
  EXPECT_EQ(tag(P + 4095), TEMPEST_READ_WRITE);
  EXPECT_EQ(tag(P + 4096), TEMPEST_INVALID) << "the next page's";
  map(P + 4096, TEMPEST_READ_ONLY);
  EXPECT_EQ(summary(P + 4096), TEMPEST_READ_ONLY);
  EXPECT_EQ(word(P + 4096), 0u);
  map(P + 8192, TEMPEST_INVALID);
  EXPECT_EQ(summary(P + 8192), TEMPEST_INVALID);
  EXPECT_EQ(word(P + 8192), GRAUPEL_DSM_SENTINEL);
}

TEST_F(AccessControlTest, ChangesStayWithinTheirBlocks) {
  for (size_t Length : {32, 64, 128, 256, 1024, 2048, 4096}) {
    uintptr_t P = page(TEMPEST_READ_WRITE);
    uintptr_t At = P + (Length == 4096 ? 0 : Length);
    A.set(At, Length, TEMPEST_READ_WRITE, TEMPEST_READ_ONLY);
    for (uintptr_t G = P; G != P + PageBytes; G += GranuleBytes)
      EXPECT_EQ(tag(G),
                G - At < Length ? TEMPEST_READ_ONLY : TEMPEST_READ_WRITE);
    EXPECT_EQ(summary(P), TEMPEST_READ_ONLY);
    A.set(At, Length, TEMPEST_READ_ONLY, TEMPEST_INVALID);
    EXPECT_EQ(summary(P), TEMPEST_INVALID);
    A.set(At, Length, TEMPEST_INVALID, TEMPEST_BUSY);
    EXPECT_EQ(summary(P), TEMPEST_INVALID);
    A.set(At, Length, TEMPEST_BUSY, TEMPEST_READ_WRITE);
    EXPECT_EQ(summary(P), 0);
  }
}

TEST_F(AccessControlTest, SummariesAreExactAfterRandomChanges) {
  std::mt19937 Random(3);
  uintptr_t P = page(TEMPEST_READ_WRITE);
  constexpr tempest_tag All[] = {TEMPEST_READ_WRITE, TEMPEST_READ_ONLY,
                                 TEMPEST_INVALID, TEMPEST_BUSY};
  for (int Step = 0; Step != 20000; ++Step) {
    size_t Length = 32u << Random() % 4;
    uintptr_t At = P + Random() % (PageBytes / Length) * Length;
    // Blocks of one change have one tag; make it so.
    for (uintptr_t G = At; G != At + Length; G += 32)
      A.set(G, 32, static_cast<tempest_tag>(tag(G)), TEMPEST_READ_WRITE);
    A.set(At, Length, TEMPEST_READ_WRITE, All[Random() % 4]);
    bool Loads = false, Stores = false;
    for (uintptr_t G = P; G != P + PageBytes; G += 32) {
      Loads |= refuses(tag(G), false);
      Stores |= refuses(tag(G), true);
    }
    ASSERT_EQ(refuses(summary(P), false), Loads);
    ASSERT_EQ(refuses(summary(P), true), Stores);
  }
}

TEST_F(AccessControlTest, FirstRefusedIsExact) {
  uintptr_t P = page(TEMPEST_READ_WRITE);
  map(P + 4096, TEMPEST_READ_WRITE);
  A.set(P + 4096 + 64, 64, TEMPEST_READ_WRITE, TEMPEST_READ_ONLY);
  const TagTable &T = node().Tags;
  EXPECT_EQ(T.firstRefused(P, P + 4096 + 64, true), NoAddress);
  EXPECT_EQ(T.firstRefused(P, P + 4096 + 65, true), P + 4096 + 64);
  EXPECT_EQ(T.firstRefused(P + 4096 + 70, P + 4096 + 71, true), P + 4096 + 70);
  EXPECT_EQ(T.firstRefused(P, P + 8192, false), NoAddress);
  EXPECT_EQ(T.firstRefused(P, P + 8193, false), P + 8192);
  EXPECT_EQ(T.firstRefused(P + 4096 + 128, P + 8192, true), NoAddress);
  EXPECT_EQ(T.firstRefused(P + 8192, P + 8192, true), NoAddress) << "empty";
}

TEST_F(AccessControlTest, PutAndFill) {
  uintptr_t P = page(TEMPEST_INVALID);
  char Data[64];
  memset(Data, 'x', sizeof(Data));
  A.put(P + 64, 64, Data);
  EXPECT_EQ(word(P + 60), GRAUPEL_DSM_SENTINEL);
  EXPECT_EQ(word(P + 64), 0x78787878u);
  EXPECT_EQ(word(P + 124), 0x78787878u);
  EXPECT_EQ(word(P + 128), GRAUPEL_DSM_SENTINEL);
  A.fill(P + 64, 64);
  EXPECT_EQ(word(P + 64), GRAUPEL_DSM_SENTINEL);
  EXPECT_EQ(word(P + 124), GRAUPEL_DSM_SENTINEL);
}

TEST_F(AccessControlTest, MemoryAtHomeStartsWithZeros) {
  uintptr_t P = test::openPages(64) + 4096;
  ChunkRun Run = {
      uint32_t((P - node().Shared.start()) / ChunkBytes), 1, {64, 0, 0, false}};
  node().Shared.open(Run, true);
  EXPECT_EQ(word(P), 0u);
  EXPECT_EQ(tag(P), TEMPEST_INVALID);
  map(P, TEMPEST_INVALID);
  EXPECT_EQ(word(P), GRAUPEL_DSM_SENTINEL) << "Invalid blocks hold it";
  map(P + 4096, TEMPEST_READ_WRITE);
  EXPECT_EQ(word(P + 4096), 0u);
}

} // namespace
