//===- DoorbellTest.cpp - Tells a node that messages have come -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeNetwork.h"
#include <chrono>
#include <thread>

using namespace graupel::dsm;
using Clock = std::chrono::steady_clock;

namespace {
double since(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}
} // namespace

TEST(Doorbell, MessagesSetPoll) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  EXPECT_EQ(B->control().Poll, 0);
  Message M{};
  A->send(1, M, false);
  EXPECT_EQ(B->control().Poll, 1);
  EXPECT_EQ(A->control().Poll, 0);
  ASSERT_TRUE(B->progress());
  EXPECT_TRUE(B->quiet()) << "it was not handled";
  B->release();
  EXPECT_FALSE(B->quiet());
  EXPECT_EQ(B->control().Poll, 0);
}

// Announced before it is there, as with tcp within a host.
TEST(Doorbell, AnnouncedMessagesKeepPollSet) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 100);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  Message M{};
  A->send(1, M, false);
  EXPECT_FALSE(B->progress());
  EXPECT_TRUE(B->quiet());
  EXPECT_EQ(B->control().Poll, 1);
  auto Start = Clock::now();
  B->sleep(B->control().Wake, 5000000);
  EXPECT_LT(since(Start), 2) << "who expects a message does not sleep";
  Net.withhold(0);
  EXPECT_TRUE(B->progress());
  B->release();
  EXPECT_FALSE(B->quiet());
}

TEST(Doorbell, SleepEnds) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  auto Start = Clock::now();
  B->sleep(B->control().Wake, 30000);
  EXPECT_GE(since(Start), 0.03) << "by itself";
  Start = Clock::now();
  B->sleep(B->control().Wake - 1, 5000000);
  EXPECT_LT(since(Start), 2) << "if Wake has changed";
  std::thread Notifier([&] {
    usleep(20000);
    B->notify();
  });
  Start = Clock::now();
  B->sleep(B->control().Wake, 5000000);
  EXPECT_LT(since(Start), 2) << "by notify()";
  EXPECT_EQ(B->control().Poll, 1);
  Notifier.join();
  std::thread Sender([&] {
    usleep(20000);
    A->send(1, Message{}, false);
  });
  Start = Clock::now();
  B->sleep(B->control().Wake, 5000000);
  EXPECT_LT(since(Start), 2) << "by a message";
  Sender.join();
  EXPECT_EQ(B->control().Sleepers, 0u);
}

// Waking is a system call: who is awake, or about to be, is not woken again.
TEST(Doorbell, OneMessageOfManyWakes) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 0);
  auto A = fakeTransport(Host, Net, {0, 2, 16}),
       B = fakeTransport(Host, Net, {1, 2, 16});
  uint32_t Before = B->control().Wake;
  A->send(1, Message{}, false);
  EXPECT_EQ(B->control().Wake, Before) << "nobody sleeps";
  B->control().Sleepers = 1;
  for (int I = 0; I < 4; ++I)
    A->send(1, Message{}, false);
  EXPECT_EQ(B->control().Wake, Before + 1);
}

// Both sleep whenever there is nothing, for so long that a wake-up which gets
// lost is seen.
TEST(Doorbell, H28NoWakeUpIsLost) {
  FakeHost Host(2);
  FakeNetwork Net(2, 1, 20);
  auto Play = [&](int Node) {
    auto T = fakeTransport(Host, Net, {Node, 2, 16});
    Message M{};
    for (int Turn = 0; Turn < 20000; ++Turn) {
      if (Turn % 2 == Node) {
        T->send(1 - Node, M, true);
        continue;
      }
      for (;;) {
        uint32_t Wake = T->control().Wake.load();
        if (T->progress())
          break;
        if (T->quiet())
          continue;
        auto Start = Clock::now();
        T->sleep(Wake, 20000000);
        ASSERT_LT(since(Start), 15) << "slept through a message, turn " << Turn;
      }
      T->release();
    }
  };
  std::thread Other([&] { Play(1); });
  Play(0);
  Other.join();
}

// The sender may not find Poll still set, and the receiver not find the count
// still old, both: the message would wait until the next one comes. Takes two
// processors to show. Both have what they look at in their caches before, and
// what they write not, so without a barrier the writes come later than the
// looks.
TEST(Doorbell, H15NeitherSideMissesTheOther) {
  FakeHost Host(2);
  auto A = Host.doorbell(0), B = Host.doorbell(1);
  constexpr unsigned Rounds = 30000;
  std::atomic<unsigned> Turn[2][64] = {};
  auto Meet = [&](int Own, unsigned Number) {
    Turn[Own][0].store(Number, std::memory_order_release);
    for (unsigned Spins = 0;
         Turn[1 - Own][0].load(std::memory_order_acquire) < Number;)
      if (++Spins > 10000)
        std::this_thread::yield();
  };
  static thread_local volatile unsigned Sink;
  auto Wait = [&](unsigned Ticks) {
    for (unsigned I = 0; I < Ticks; ++I)
      Sink = Sink + 1;
  };
  std::thread Sender([&] {
    for (unsigned I = 0; I < Rounds; ++I) {
      Meet(0, 3 * I + 1);
      Sink = B->control().Poll.load(std::memory_order_relaxed);
      Meet(0, 3 * I + 2);
      Wait(I % 16);
      A->ring(1);
      Meet(0, 3 * I + 3);
    }
  });
  unsigned Missed = 0;
  for (unsigned I = 0; I < Rounds; ++I) {
    B->raise();
    Meet(1, 3 * I + 1);
    Sink = B->expects();
    Meet(1, 3 * I + 2);
    Wait(I / 16 % 16);
    B->clear();
    bool Seen = B->expects();
    Meet(1, 3 * I + 3);
    Missed += !Seen && B->control().Poll == 0;
    B->heard(0);
  }
  Sender.join();
  EXPECT_EQ(Missed, 0u);
}
