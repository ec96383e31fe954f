//===- CollectiveWakeTest.cpp - Messages that end waits wake sleepers -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any thread of a node may handle the message that another one sleeps for in a
// collective call; the handler has to signal. A sleeper looks around by itself,
// too, so a forgotten signal shows in nothing but time. Nor must the one that
// waits wake others for its own message: they would take its processor.
//
//===----------------------------------------------------------------------===//

#include "Sync/Sync.h"
#include "TestNode.h"
#include "gtest/gtest.h"

using namespace graupel::dsm;
using namespace graupel::dsm::test;

namespace {

/// Signals of a handler alone: sending to the own node makes one, too.
uint32_t signalsOfHandling(const Message &M) {
  uint32_t Signals = 0;
  offline([&] {
    Dispatcher &D = node().Dispatch;
    Locked Lock(D);
    D.send(0, M);
    uint32_t Before = D.signals();
    EXPECT_TRUE(D.dispatchOne());
    Signals = D.signals() - Before;
  });
  return Signals;
}

class CollectiveWake : public ::testing::Test {
protected:
  CollectiveWake() {
    Node &N = node();
    registerCollectiveHandlers(N);
    registerBarrierHandlers(N);
    registerReduceHandlers(N);
    registerBroadcastHandlers(N);
    registerSemaphoreHandlers(N);
    registerConditionHandlers(N);
  }
  CollectiveCall Call{Collective::Barrier, nullptr};
  uint64_t Next = 1000; // Of calls that this node has not made.
};

TEST_F(CollectiveWake, Barrier) {
  EXPECT_NE(0u, signalsOfHandling(internalMessage(Internal::BarrierRound, 0,
                                                  Next, Call.word(), Call.Pc)));
}

TEST_F(CollectiveWake, NobodyForAMessageToTheOneThatHandlesIt) {
  Message Messages[] = {
      internalMessage(Internal::BarrierRound, 0, Next, Call.word(), Call.Pc),
      internalMessage(Internal::ReduceResult, 0, 0)};
  for (const Message &M : Messages) {
    TheMeeting.Outside = &thisThread(node());
    EXPECT_EQ(0u, signalsOfHandling(M));
    onThreads(1, [&](int) { EXPECT_NE(0u, signalsOfHandling(M)); });
    TheMeeting.Outside = nullptr;
  }
}

TEST_F(CollectiveWake, ReduceValues) {
  double Value = 1;
  Message M =
      internalMessage(Internal::ReduceValues, Next, Call.word(), Call.Pc);
  M.Length = sizeof(Value);
  M.Payload = &Value;
  EXPECT_NE(0u, signalsOfHandling(M));
}

TEST_F(CollectiveWake, ReduceResult) {
  EXPECT_NE(0u,
            signalsOfHandling(internalMessage(Internal::ReduceResult, 0, 0)));
}

TEST_F(CollectiveWake, BroadcastWithItsLastPart) {
  char Part[8] = {};
  Message M = internalMessage(Internal::BroadcastPart, Next, 0,
                              2 * sizeof(Part), 0, Next, Call.word(), Call.Pc);
  M.Length = sizeof(Part);
  M.Payload = Part;
  EXPECT_EQ(0u, signalsOfHandling(M));
  M.Word[3] = sizeof(Part);
  EXPECT_NE(0u, signalsOfHandling(M));
}

TEST_F(CollectiveWake, TheEndOfANode) {
  EXPECT_NE(0u,
            signalsOfHandling(internalMessage(Internal::Ended, 0, 0, 0, 0)));
}

} // namespace
