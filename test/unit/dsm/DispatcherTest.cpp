//===- DispatcherTest.cpp - The end of a node's transport -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Dispatcher.h"
#include "gtest/gtest.h"
#include <sched.h>
#include <thread>

using namespace graupel::dsm;

namespace {

/// Knows who is in it, and whether it was used when it was gone.
class Ending final : public Transport {
public:
  ControlPage &control() override { return Page; }
  int controlFile(uint64_t &) override { return -1; }
  ControlPage *controlOf(int) override { return &Page; }
  bool send(int, const Message &, bool) override { return true; }
  bool progress() override { return false; }
  const Message *next() override { return nullptr; }
  void release() override {}
  bool quiet() override { return false; }
  void sleep(uint32_t WakeSeen, unsigned) override {
    Misused = Misused || Gone;
    ++Inside;
    while (Page.Wake == WakeSeen && !Gone)
      sched_yield();
    --Inside;
  }
  void notify() override {
    Misused = Misused || Gone;
    ++Page.Wake;
  }
  bool flushed() override { return true; }
  const TransportStatistics &statistics() const override { return Nothing; }

  std::atomic<int> Inside{0};
  std::atomic<bool> Gone{false}, Misused{false};

private:
  ControlPage Page = {};
  TransportStatistics Nothing = {};
};

TEST(Dispatcher, NobodyUsesTheTransportOfANodeThatHasFinished) {
  Ending Wire;
  std::atomic<uint8_t> Few{0};
  Crowd Others;
  auto Team = std::make_unique<Threads>();
  Dispatcher D;
  Others.attach(Few, true);
  D.attach(Wire, *Team, 0, Others);
  Team->attach(Wire.control(), Others);

  std::atomic<bool> Done{false};
  std::thread Waits([&] {
    if (D.await(false, [&] { return Done.load(); }))
      D.unlock();
  });
  while (!Wire.Inside)
    sched_yield();
  D.lock();
  D.close();
  EXPECT_EQ(0, Wire.Inside);
  Wire.Gone = true;
  D.signal();
  Done = true;
  D.signal();
  Waits.join();
  EXPECT_FALSE(Wire.Misused);
}

} // namespace
