//===- HeapTest.cpp - Shared memory divided into allocations ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Heap.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace graupel::dsm;

namespace {

constexpr uintptr_t Base = uintptr_t(1) << 44;

TEST(Heap, NothingWithoutChunks) {
  Heap H;
  EXPECT_EQ(H.allocate(128, 128, -1).Address, 0u);
  H.add(Base, 4096, 64, -1);
  EXPECT_EQ(H.allocate(128, 128, -1).Address, 0u) << "another block size";
  EXPECT_EQ(H.allocate(128, 64, 0).Address, 0u) << "another home";
  EXPECT_NE(H.allocate(128, 64, -1).Address, 0u);
}

TEST(Heap, FreshMemoryIsToldFromUsed) {
  Heap H;
  H.add(Base, 4096, 128, -1);
  auto A = H.allocate(256, 128, -1);
  EXPECT_FALSE(A.Used);
  EXPECT_EQ(H.free(A.Address, 128, -1), 256u);
  auto B = H.allocate(256, 128, -1);
  EXPECT_EQ(A.Address, B.Address);
  EXPECT_TRUE(B.Used);
}

TEST(Heap, FreeOfWhatIsNoneIsRefused) {
  Heap H;
  H.add(Base, 4096, 32, -1);
  auto A = H.allocate(64, 32, -1);
  EXPECT_EQ(H.free(A.Address + 32, 32, -1), 0u);
  EXPECT_EQ(H.free(A.Address, 32, -1), 64u);
  EXPECT_EQ(H.free(A.Address, 32, -1), 0u) << "twice";
}

TEST(Heap, LargePiecesMerge) {
  Heap H;
  constexpr size_t Piece = 64 << 10;
  H.add(Base, 3 * Piece, 4096, -1);
  uintptr_t A = H.allocate(Piece, 4096, -1).Address,
            B = H.allocate(Piece, 4096, -1).Address,
            C = H.allocate(Piece, 4096, -1).Address;
  H.free(A, 4096, -1);
  H.free(C, 4096, -1);
  EXPECT_EQ(H.allocate(2 * Piece, 4096, -1).Address, 0u);
  H.free(B, 4096, -1);
  EXPECT_EQ(H.allocate(3 * Piece, 4096, -1).Address, Base);
}

TEST(Heap, LargePiecesOfOneHomeBeginApart) {
  Heap H;
  H.add(Base, 1 << 20, 128, 0);
  std::map<uintptr_t, size_t> InPage;
  for (int I = 0; I != 6; ++I) {
    uintptr_t A = H.allocate(32 << 10, 128, 0).Address;
    ASSERT_NE(A, 0u);
    EXPECT_EQ(A % 128, 0u);
    EXPECT_EQ(InPage[A % 4096]++, 0u) << "number " << I;
  }
  // What was skipped is not lost.
  EXPECT_EQ(H.allocate(512, 128, 0).Address, Base + (32 << 10));
  // A run that was made for one allocation holds it.
  H.add(Base + (4 << 20), 2 << 20, 4096, 0);
  EXPECT_EQ(H.allocate(2 << 20, 4096, 0).Address, Base + (4 << 20));
  H.add(Base + (8 << 20), 1 << 20, 32, 0);
  EXPECT_EQ(H.allocate(1 << 20, 32, 0).Address, Base + (8 << 20));
}

TEST(Heap, RandomAllocationsAreDisjointBlocks) {
  std::mt19937 Random(7);
  Heap H;
  uintptr_t Next = Base;
  std::map<uintptr_t, size_t> Live;
  constexpr uint32_t Block = 64;
  for (int Step = 0; Step != 20000; ++Step) {
    if (Live.size() > 200 || (!Live.empty() && Random() % 2)) {
      auto I = std::next(Live.begin(), Random() % Live.size());
      ASSERT_EQ(H.free(I->first, Block, -1), I->second);
      Live.erase(I);
      continue;
    }
    size_t Size = Block * (1 + Random() % (Random() % 8 ? 20 : 400));
    auto P = H.allocate(Size, Block, -1);
    if (!P.Address) {
      H.add(Next, 1 << 20, Block, -1);
      Next += 4 << 20;
      continue;
    }
    ASSERT_EQ(P.Address % Block, 0u);
    auto [I, New] = Live.emplace(P.Address, Size);
    ASSERT_TRUE(New);
    if (I != Live.begin()) {
      ASSERT_LE(std::prev(I)->first + std::prev(I)->second, P.Address);
    }
    if (std::next(I) != Live.end()) {
      ASSERT_LE(P.Address + Size, std::next(I)->first);
    }
  }
  EXPECT_LE(Next, Base + (64 << 20)) << "memory is used again";
}

} // namespace
