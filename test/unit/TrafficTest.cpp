//===- TrafficTest.cpp - Records and faults that profiles are made of -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Live/Faults.h"
#include "Stride/Record/Record.h"
#include "gtest/gtest.h"
#include <linux/perf_event.h>

using namespace graupel;

namespace {

//===--- Records of several processes -------------------------------------===//

stride::Record withHomes(uint64_t Local) {
  stride::Record R{};
  R.Threads.resize(2);
  R.Homes.push_back({/*Thread=*/1, 0, Local, /*Remote=*/2, /*Unknown=*/3});
  return R;
}

TEST(MergedRecords, HaveTheNearnessOfAllThreads) {
  stride::Record All = withHomes(100);
  ASSERT_FALSE(errorToBool(All.append(withHomes(200))));
  ASSERT_EQ(All.Homes.size(), 2u);
  EXPECT_EQ(All.Homes[0].Thread, 1u);
  EXPECT_EQ(All.Homes[1].Thread, 3u);
  EXPECT_EQ(All.Homes[1].Local, 200u);
  EXPECT_EQ(All.Homes[1].Remote, 2u);
}

//===--- Faults -----------------------------------------------------------===//

class Events {
public:
  numa::Faults F;

  void touch(uint32_t Process, uint32_t Thread, uint64_t Time,
             uint64_t Address) {
    struct {
      uint32_t Process, Thread;
      uint64_t Time, Address;
    } S = {Process, Thread, Time, Address};
    F.take(PERF_RECORD_SAMPLE, 0, reinterpret_cast<char *>(&S), sizeof(S));
  }
  void exec(uint32_t Process, uint64_t Time) {
    struct {
      uint32_t Process, Thread;
      char Name[8];
      uint32_t SampleProcess, SampleThread;
      uint64_t Time;
    } S = {Process, Process, "program", Process, Process, Time};
    F.take(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC,
           reinterpret_cast<char *>(&S), sizeof(S));
  }
};

constexpr uint64_t Far = 1 << 30;

TEST(Faults, TheEarliestIsTheFirst) {
  // Processors' buffers are read one after the other.
  Events E;
  E.touch(7, 8, 200, 0x5010);
  E.touch(7, 9, 100, 0x5fff);
  E.touch(7, 7, 300, 0x5000);
  E.F.finish(7);
  EXPECT_EQ(E.F.firstOf(0x5000), 9u);
  EXPECT_EQ(E.F.firstOf(0x5ff8), 9u);
  EXPECT_FALSE(E.F.firstOf(Far));
}

TEST(Faults, OfAnotherProgramAreNone) {
  Events E;
  E.touch(7, 7, 100, 0x5000);
  E.touch(7, 7, 101, Far);
  E.exec(7, 150);
  E.touch(7, 8, 200, 0x5000);
  E.touch(6, 6, 210, Far);
  E.F.finish(7);
  EXPECT_EQ(E.F.firstOf(0x5000), 8u);
  EXPECT_FALSE(E.F.firstOf(Far));
}

TEST(Faults, AnExecThatIsReadLateCountsAll) {
  Events E;
  E.touch(7, 8, 200, 0x5000);
  E.touch(7, 7, 100, 0x5000);
  E.exec(7, 150);
  E.touch(7, 9, 300, 0x5000);
  E.F.finish(7);
  EXPECT_EQ(E.F.firstOf(0x5000), 9u);
}

TEST(Faults, ALargePageIsWhoseItsFirstTouchIs) {
  Events E;
  E.touch(7, 8, 200, Far + 0x5000);
  E.touch(7, 9, 300, Far + 0x9000);
  E.F.finish(7);
  EXPECT_EQ(E.F.firstOf(Far + 0x1ff000), 8u);
  EXPECT_EQ(E.F.firstOf(Far + 0x9000), 9u);
  EXPECT_FALSE(E.F.firstOf(Far + 0x200000));
}

TEST(Faults, WhatIsLostIsCounted) {
  Events E;
  uint64_t Lost[2] = {1, 5};
  E.F.take(PERF_RECORD_LOST, 0, reinterpret_cast<char *>(Lost), sizeof(Lost));
  EXPECT_EQ(E.F.lost(), 5u);
}

} // namespace
