//===- JobsTest.cpp - What buttons of the manager page start --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jobs.h"
#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <future>

using namespace graupel::ui;
using graupel::environment::Progress;

namespace {

Outcome done(std::vector<std::string> Lines = {}) {
  return {Outcome::State::Done, std::move(Lines)};
}

/// Until the newest job is in a state; what it is then.
llvm::json::Object waitFor(const Jobs &All, llvm::StringRef State) {
  const auto End = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (;;) {
    llvm::json::Array List = All.describe();
    if (!List.empty() && List[0].getAsObject()->getString("state") == State)
      return std::move(*List[0].getAsObject());
    if (std::chrono::steady_clock::now() > End) {
      ADD_FAILURE() << "never " << State.str();
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Jobs, AreDoneInTheirOrderOneAtATime) {
  Jobs All;
  std::vector<int> Order;
  std::atomic<int> AtOnce = 0;
  for (int I = 0; I < 10; ++I)
    EXPECT_EQ(All.add("job",
                      [&, I](Monitor &) {
                        EXPECT_EQ(++AtOnce, 1);
                        Order.push_back(I);
                        --AtOnce;
                        return done();
                      }),
              I + 1);
  waitFor(All, "done");
  EXPECT_EQ(Order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Jobs, SayWhatBecameOfThem) {
  Jobs All;
  All.add("whole", [](Monitor &) { return done({"a", "b"}); });
  const llvm::json::Object Whole = waitFor(All, "done");
  EXPECT_EQ(Whole.getString("title"), "whole");
  EXPECT_EQ(Whole.getInteger("id"), 1);
  EXPECT_EQ(*Whole.getArray("lines"), (llvm::json::Array{"a", "b"}));
  All.add("half",
          [](Monitor &) { return Outcome{Outcome::State::InPart, {}}; });
  waitFor(All, "in part");
  All.add("none",
          [](Monitor &) { return Outcome{Outcome::State::Failed, {"why"}}; });
  EXPECT_EQ(waitFor(All, "failed").getInteger("id"), 3);
}

TEST(Jobs, ShowHowFarTheyAre) {
  Jobs All;
  std::promise<void> Begun, GoOn;
  All.add("slow", [&](Monitor &Told) {
    Told.progress({1, 3, "/lib/x.so"});
    Begun.set_value();
    GoOn.get_future().wait();
    return done();
  });
  All.add("next", [](Monitor &) { return done(); });
  Begun.get_future().wait();
  const llvm::json::Array List = All.describe();
  ASSERT_EQ(List.size(), 2u);
  EXPECT_EQ(List[0].getAsObject()->getString("state"), "waiting");
  const llvm::json::Object &Slow = *List[1].getAsObject();
  EXPECT_EQ(Slow.getString("state"), "running");
  EXPECT_EQ(Slow.getInteger("done"), 1);
  EXPECT_EQ(Slow.getInteger("total"), 3);
  EXPECT_EQ(Slow.getString("image"), "/lib/x.so");
  GoOn.set_value();
  waitFor(All, "done");
}

TEST(Jobs, OldOnesAreForgottenAndWaitingOnesAreNot) {
  Jobs All;
  std::promise<void> GoOn;
  auto Go = GoOn.get_future().share();
  std::atomic<int> Count = 0;
  for (int I = 0; I < 50; ++I)
    All.add("job", [&, Go](Monitor &) {
      Go.wait();
      ++Count;
      return done();
    });
  EXPECT_EQ(All.describe().size(), 50u);
  GoOn.set_value();
  waitFor(All, "done");
  EXPECT_EQ(Count, 50);
  All.add("last", [](Monitor &) { return done(); });
  waitFor(All, "done");
  EXPECT_LE(All.describe().size(), 20u);
}

TEST(Jobs, WaitingOnesThatAreCancelledAreNotDone) {
  Jobs All;
  std::promise<void> GoOn;
  auto Go = GoOn.get_future().share();
  All.add("first", [Go](Monitor &) {
    Go.wait();
    return done();
  });
  std::atomic<bool> Ran = false;
  const int64_t Id = All.add("second", [&](Monitor &) {
    Ran = true;
    return done();
  });
  EXPECT_TRUE(All.cancel(Id));
  EXPECT_FALSE(All.cancel(Id));
  EXPECT_FALSE(All.cancel(1000));
  EXPECT_EQ(All.describe()[0].getAsObject()->getString("state"), "cancelled");
  GoOn.set_value();
  All.add("third", [](Monitor &) { return done(); });
  waitFor(All, "done");
  EXPECT_FALSE(Ran);
}

TEST(Jobs, RunningOnesAreToldThatTheyAreCancelled) {
  Jobs All;
  std::promise<void> Began, Ended;
  const int64_t Id = All.add("long", [&](Monitor &Told) {
    Told.onCancel([&] { Ended.set_value(); });
    Began.set_value();
    Ended.get_future().wait();
    Told.onCancel(nullptr);
    return Outcome{Outcome::State::Cancelled, {}};
  });
  Began.get_future().wait();
  const int64_t Before = All.stamp();
  EXPECT_TRUE(All.cancel(Id));
  waitFor(All, "cancelled");
  EXPECT_NE(All.stamp(), Before);
}

TEST(Jobs, WhatGoesOnBesideKeepsNobodyWaiting) {
  std::atomic<bool> Told = false;
  {
    Jobs All;
    All.add(
        "endless",
        [&](Monitor &M) {
          std::promise<void> End;
          M.onCancel([&] { End.set_value(); });
          End.get_future().wait();
          M.onCancel(nullptr);
          Told = true;
          return done();
        },
        Jobs::Queue::Beside);
    All.add("next", [](Monitor &) { return done(); });
    waitFor(All, "done");
    EXPECT_FALSE(Told);
  }
  EXPECT_TRUE(Told);
}

TEST(Jobs, LogsKeepTheirEnd) {
  Jobs All;
  const int64_t Id = All.add("talks", [](Monitor &Told) {
    for (int I = 0; I < 5000; ++I)
      Told.log(std::to_string(I));
    return done();
  });
  EXPECT_EQ(waitFor(All, "done").getInteger("logged"), 5000);
  const auto Log = All.log(Id);
  ASSERT_TRUE(Log);
  EXPECT_EQ(Log->size(), 2001u);
  EXPECT_EQ((*Log)[0], "(3000 earlier lines were not kept)");
  EXPECT_EQ(Log->back(), "4999");
  EXPECT_FALSE(All.log(Id + 1));
}

TEST(Jobs, TextThatIsNoUTF8CanBeSent) {
  Jobs All;
  All.add("\xff", [](Monitor &Told) {
    Told.progress({0, 1, "\xfe"});
    return done({"a\xff"});
  });
  const llvm::json::Object Job = waitFor(All, "done");
  EXPECT_TRUE(llvm::json::isUTF8(*Job.getString("title")));
  EXPECT_TRUE(llvm::json::isUTF8(*Job.getString("image")));
  EXPECT_TRUE(llvm::json::isUTF8(*(*Job.getArray("lines"))[0].getAsString()));
}

TEST(Jobs, TheEndWaitsForTheOneThatRunsAlone) {
  std::atomic<int> Ran = 0;
  {
    Jobs All;
    std::promise<void> Began;
    All.add("runs", [&](Monitor &) {
      Began.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++Ran;
      return done();
    });
    Began.get_future().wait();
    for (int I = 0; I < 5; ++I)
      All.add("waits", [&](Monitor &) {
        ++Ran;
        return done();
      });
  }
  EXPECT_EQ(Ran, 1);
}

} // namespace
