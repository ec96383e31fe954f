//===- InboxTest.cpp - Messages that arrived and wait --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Inbox.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace graupel::dsm;

namespace {
/// Puts messages whose first word is their number.
struct Fixture : testing::Test {
  static constexpr unsigned Window = 16;
  Inbox In{3, Window};
  unsigned Arrived = 0;

  bool put(int Source, uint32_t Number, unsigned Length = 0) {
    std::vector<uint8_t> Payload(Length), Packet(MaxPacket);
    for (unsigned I = 0; I < Length; ++I)
      Payload[I] = uint8_t(Number + I);
    Message M{};
    M.Words = 1;
    M.Word[0] = Number;
    M.Length = Length;
    M.Payload = Payload.data();
    pack(Packet.data(), M, uint8_t(Source), 0, Number);
    PacketHeader H;
    memcpy(&H, Packet.data(), sizeof(H));
    return In.put(H, Packet.data(), [&](int From) {
      EXPECT_EQ(From, Source);
      ++Arrived;
    });
  }
  bool expect(int Source, uint32_t Number) {
    const Message *M = In.front();
    return M && M->Source == Source && M->Word[0] == Number;
  }
};
using InboxTest = Fixture;
} // namespace

TEST_F(InboxTest, OrderOfArrivalAcrossPeers) {
  EXPECT_EQ(In.front(), nullptr);
  EXPECT_TRUE(put(1, 0));
  EXPECT_TRUE(put(2, 0));
  EXPECT_TRUE(put(1, 1));
  EXPECT_TRUE(expect(1, 0));
  EXPECT_TRUE(In.pop());
  EXPECT_TRUE(expect(2, 0));
  EXPECT_TRUE(In.pop());
  EXPECT_TRUE(expect(1, 1));
  EXPECT_TRUE(In.pop());
  EXPECT_EQ(In.front(), nullptr);
}

TEST_F(InboxTest, OvertakingIsUndone) {
  std::mt19937 Random(7);
  uint32_t Base = 0;
  for (int Round = 0; Round < 500; ++Round, Base += Window) {
    std::vector<uint32_t> Numbers(Window);
    for (uint32_t I = 0; I < Window; ++I)
      Numbers[I] = Base + I;
    std::shuffle(Numbers.begin(), Numbers.end(), Random);
    Arrived = 0;
    for (uint32_t N : Numbers)
      ASSERT_TRUE(put(1, N));
    EXPECT_EQ(Arrived, Window);
    for (uint32_t I = 0; I < Window; ++I) {
      ASSERT_TRUE(expect(1, Base + I));
      EXPECT_TRUE(In.pop());
    }
  }
}

TEST_F(InboxTest, EarlyMessagesHaveNotArrived) {
  EXPECT_TRUE(put(1, 1));
  EXPECT_EQ(Arrived, 0u);
  EXPECT_EQ(In.front(), nullptr);
  EXPECT_TRUE(put(1, 0));
  EXPECT_EQ(Arrived, 2u);
}

TEST_F(InboxTest, ImpossibleNumbers) {
  EXPECT_FALSE(put(1, Window)) << "more than a window ahead";
  EXPECT_TRUE(put(1, 3));
  EXPECT_FALSE(put(1, 3)) << "twice, early";
  EXPECT_TRUE(put(1, 0));
  EXPECT_FALSE(put(1, 0)) << "twice, in the past";
}

TEST_F(InboxTest, H36NumbersWrap) {
  Inbox Wrapping(2, Window, 0xfffffff8u);
  uint8_t Packet[MaxPacket];
  for (uint32_t I = 0; I < 32; ++I) {
    // Pairs come in the wrong order.
    Message M{};
    M.Words = 1;
    M.Word[0] = I ^ 1;
    pack(Packet, M, 1, 0, 0xfffffff8u + (I ^ 1));
    PacketHeader H;
    memcpy(&H, Packet, sizeof(H));
    ASSERT_TRUE(Wrapping.put(H, Packet, [](int) {}));
    if (I % 2 == 0)
      continue;
    for (uint32_t Number : {I - 1, I}) {
      ASSERT_NE(Wrapping.front(), nullptr);
      EXPECT_EQ(Wrapping.front()->Word[0], Number);
      Wrapping.pop();
    }
  }
}

TEST_F(InboxTest, SetAsideKeepsOrderAndReturnsCreditsOnce) {
  for (uint32_t I = 0; I < 4; ++I)
    put(1, I, 100);
  unsigned Freed = 0;
  In.setAside([&](int) { ++Freed; });
  EXPECT_EQ(Freed, 4u);
  EXPECT_EQ(In.asideCount(), 4u);
  uint64_t Bytes = In.asideBytes();
  EXPECT_GT(Bytes, 400u);
  put(1, 4, 100);
  In.setAside([&](int) { ++Freed; });
  EXPECT_EQ(Freed, 5u);
  put(1, 5, 100);
  for (uint32_t I = 0; I < 6; ++I) {
    ASSERT_TRUE(expect(1, I));
    EXPECT_EQ(In.pop(), I == 5) << "its credit is still due";
  }
  EXPECT_EQ(In.asideBytes(), 0u);
  EXPECT_EQ(In.asidePeak(), Bytes / 4 * 5);
}

TEST_F(InboxTest, PayloadsOfAnySize) {
  uint32_t Number = 0;
  for (unsigned Length : {0u, 1u, 31u, 128u, 255u, 256u, 257u, 4095u, 4096u}) {
    ASSERT_TRUE(put(2, Number, Length));
    const Message *M = In.front();
    ASSERT_EQ(M->Length, Length);
    for (unsigned I = 0; I < Length; ++I)
      ASSERT_EQ(static_cast<const uint8_t *>(M->Payload)[I],
                uint8_t(Number + I));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(M->Payload) % 64, 0u);
    In.pop();
    ++Number;
  }
}
