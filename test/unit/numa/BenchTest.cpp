//===- BenchTest.cpp - What is measured, and what it is worth -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Bench/Kernels.h"
#include "Numa/Bench/Memory.h"
#include "Numa/Bench/Meter.h"
#include "Numa/Bench/Plan.h"
#include "Numa/Bench/Published.h"
#include "Numa/Bench/Restart.h"
#include "Numa/Bench/States.h"
#include "Numa/Bench/Statistics.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace graupel::numa::bench;

namespace {

// --- Statistics.

Samples inOneClass(std::vector<double> Bests) {
  std::vector<double> Apart(Bests.size(), 0);
  return {Bests, Bests, Apart};
}

TEST(BenchStatistics, Quantiles) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2}, 0.5), 1.5);
  EXPECT_EQ(quantile({5}, 0.9), 5);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0), 1);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 1), 4);
}

TEST(BenchStatistics, Summary) {
  Summary S = summarize({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(S.Least, 2);
  EXPECT_EQ(S.Most, 9);
  EXPECT_EQ(S.Median, 4.5);
  EXPECT_EQ(S.Average, 5);
  EXPECT_EQ(S.Deviation, 2);
}

TEST(BenchVerdict, TakesTheBest) {
  auto S = inOneClass({100, 101, 103, 100.5, 102, 101});
  EXPECT_EQ(judge(S, true).Value, 100);
  EXPECT_TRUE(judge(S, true).Stable) << judge(S, true).Why;
  EXPECT_EQ(judge(S, false).Value, 103);
  EXPECT_TRUE(judge(S, false).Stable) << judge(S, false).Why;
}

TEST(BenchVerdict, NoiseUpwardsIsNoHarmToALatency) {
  auto S = inOneClass({100, 180, 101, 400, 101, 100, 250, 102});
  EXPECT_TRUE(judge(S, true).Stable);
  EXPECT_FALSE(judge(S, false).Stable);
}

TEST(BenchVerdict, FewPassesAreNotEnough) {
  Verdict V = judge(inOneClass({100, 100, 100, 100, 100}), true);
  EXPECT_FALSE(V.Stable);
  EXPECT_EQ(V.Why, "measured in 5 of at least 6 passes");
}

TEST(BenchVerdict, HalvesThatDiffer) {
  Verdict V = judge(inOneClass({100, 101, 102, 110, 111, 112}), true);
  EXPECT_FALSE(V.Stable);
  EXPECT_EQ(V.Why,
            "the second half of the run differs from the first by 10.0 %");
}

TEST(BenchVerdict, ABestByChance) {
  // Both halves have it, but hardly any pass does.
  Verdict V = judge(
      inOneClass({100, 130, 131, 132, 133, 134, 135, 136, 137, 101}), true);
  EXPECT_FALSE(V.Stable);
  EXPECT_EQ(V.Why, "only 2 of 10 passes came within 5 % of the best");
}

TEST(BenchVerdict, ProcessorsThatMoved) {
  // Half of the passes with the pair near, half with it far.
  Samples S{{},
            {21, 126, 22, 125, 21, 127, 21, 21, 22, 126},
            {20, 120, 21, 121, 20, 122, 20, 20, 20, 119}};
  Verdict V = judge(S, true);
  EXPECT_FALSE(V.Stable);
  EXPECT_EQ(V.Value, 21);
  EXPECT_EQ(V.Why,
            "the processors have moved, from 20 ns apart to 122 ns; this "
            "is of the 6 passes of 10 when it was about 20 ns");
}

TEST(BenchVerdict, OneOddPassDoesNotCount) {
  Samples S{{},
            {126, 21, 127, 126, 126, 127, 126, 126},
            {120, 20, 121, 120, 119, 120, 120, 120}};
  Verdict V = judge(S, true);
  EXPECT_TRUE(V.Stable) << V.Why;
  EXPECT_EQ(V.Value, 126);
}

TEST(BenchVerdict, ADifferenceOfNearFiguresIsNotStable) {
  EXPECT_FALSE(differenceIsStable(148.2, 143.0));
  EXPECT_FALSE(differenceIsStable(100, 100));
  EXPECT_FALSE(differenceIsStable(100, 200));
  EXPECT_TRUE(differenceIsStable(100, 300));
  EXPECT_TRUE(differenceIsStable(300, 20));
}

TEST(BenchVerdict, AStableValueComesAgain) {
  // Two runs of the same machine: additive noise, as other programs make.
  std::mt19937 Random(7);
  std::exponential_distribution<double> Noise(1);
  unsigned Stable = 0, Wrong = 0;
  for (unsigned Try = 0; Try < 8000; ++Try) {
    const size_t Passes = LeastPasses + Random() % 20;
    double Scale = Random() % 40; // From quiet to hopeless.
    auto Run = [&] {
      std::vector<double> Bests(Passes);
      for (double &B : Bests)
        B = 100 + Scale * Noise(Random);
      return judge(inOneClass(Bests), true);
    };
    Verdict A = Run(), B = Run();
    if (!A.Stable || !B.Stable)
      continue;
    ++Stable;
    Wrong +=
        std::max(A.Value, B.Value) / std::min(A.Value, B.Value) > 1 + Tolerance;
  }
  EXPECT_GT(Stable, 500u);
  EXPECT_LT(Wrong, Stable / 50);
}

// --- States.

TEST(BenchStates, WhoDoesWhat) {
  using enum Step::Actor;
  using enum Step::Action;
  auto Last = [](State S, unsigned Others, bool Local = false) {
    Step Of = stepsTo(S, Others, Local).back();
    return std::pair(Of.By, Of.Do);
  };
  EXPECT_EQ(Last(State::UOWN, 0), std::pair(Local, Flush));
  EXPECT_EQ(Last(State::CEXH, 1), std::pair(Owner, Load));
  EXPECT_EQ(Last(State::CEXM, 1), std::pair(Owner, DropAll));
  EXPECT_EQ(Last(State::DEXD, 1), std::pair(Owner, Store));
  EXPECT_EQ(Last(State::DEXT, 1), std::pair(Owner, Store));
  EXPECT_EQ(Last(State::SHRD, 2), std::pair(Sharers, Load));
  // A single reader would own the lines: another one has to read them, too.
  EXPECT_EQ(Last(State::SHRD, 1), std::pair(Local, Drop));
  EXPECT_EQ(stepsTo(State::SHRD, 1, false).size(), 4u);
  EXPECT_EQ(Last(State::SHRD, 3, true), std::pair(Local, Load));
  EXPECT_TRUE(stepsTo(State::CEXH, 0, false).empty());
  EXPECT_TRUE(stepsTo(State::None, 1, false).empty());
  // Whatever was there before is gone first.
  for (State S : {State::UOWN, State::SHRD, State::CEXH, State::CEXM,
                  State::DEXD, State::DEXT})
    EXPECT_EQ(stepsTo(S, 1, false).front().Do, Flush);
}

// --- Memory and kernels.

struct Buffer {
  explicit Buffer(size_t Bytes) : Bytes(Bytes) {
    Start = static_cast<char *>(aligned_alloc(2 << 20, Bytes));
    std::fill(Start, Start + Bytes, 0);
  }
  ~Buffer() { free(Start); }
  char *Start;
  size_t Bytes;
};

TEST(BenchChain, VisitsEachLineOnce) {
  Buffer B(4 << 20);
  Chain C;
  C.make(B.Start, B.Bytes, 4096, 128 << 10);
  std::set<void *> Seen;
  void *At = C.lines().first();
  for (size_t N = 0; N < C.count(); ++N) {
    EXPECT_TRUE(Seen.insert(At).second);
    EXPECT_EQ(uintptr_t(At) % LineBytes, 0u);
    At = *static_cast<void **>(At);
  }
  EXPECT_EQ(At, C.lines().first());
}

TEST(BenchChain, FillsSetsEvenly) {
  Buffer B(4 << 20);
  Chain C;
  constexpr size_t SetBytes = 128 << 10;
  C.make(B.Start, B.Bytes, 4096, SetBytes);
  std::vector<unsigned> Sets(SetBytes / LineBytes);
  const Lines L = C.lines();
  for (size_t N = 0; N < L.Count; ++N)
    ++Sets[L.Offsets[N] % SetBytes / LineBytes];
  EXPECT_EQ(*std::max_element(Sets.begin(), Sets.end()), 2u);
  EXPECT_EQ(*std::min_element(Sets.begin(), Sets.end()), 2u);
}

TEST(BenchChain, IsInRandomOrder) {
  Buffer B(4 << 20);
  Chain C;
  C.make(B.Start, B.Bytes, 1024, 32 << 10);
  const Lines L = C.lines();
  unsigned Ascending = 0;
  for (size_t N = 1; N < L.Count; ++N)
    Ascending += L.Offsets[N] > L.Offsets[N - 1];
  EXPECT_NEAR(Ascending, 512, 100);
}

TEST(BenchChain, PartsDoNotOverlap) {
  Buffer B(4 << 20);
  Chain C;
  C.make(B.Start, B.Bytes, 1024, 32 << 10);
  std::set<uint32_t> Seen;
  for (size_t N = 0; N < 3; ++N) {
    Lines L = C.part(N, 3);
    EXPECT_EQ(L.Count, 320u);
    for (size_t I = 0; I < L.Count; ++I)
      EXPECT_TRUE(Seen.insert(L.Offsets[I]).second);
  }
}

TEST(BenchKernels, ChainsEndWhereTheyShould) {
  Buffer B(4 << 20);
  Chain C;
  C.make(B.Start, B.Bytes, 1024, 32 << 10);
  EXPECT_EQ(walk(C.lines().first(), 1024), C.lines().first());
  EXPECT_EQ(walk(C.lines().first(), 32), B.Start + C.lines().Offsets[32]);
  EXPECT_EQ(modify(C.lines().first(), 1024), C.lines().first());
  EXPECT_EQ(modifySerially(C.lines().first(), 1024), C.lines().first());
  for (unsigned Additions : {0u, 1u, 7u, 63u}) {
    WorkKernel W(Additions);
    ASSERT_TRUE(W.works());
    EXPECT_EQ(W.run(C.lines().first(), 64), walk(C.lines().first(), 64))
        << Additions;
  }
}

TEST(BenchKernels, StoresLeaveTheChain) {
  Buffer B(4 << 20);
  Chain C;
  C.make(B.Start, B.Bytes, 1024, 32 << 10);
  const Lines L = C.lines();
  auto Count = [&] {
    unsigned Found = 0;
    for (size_t N = 0; N < L.Count; ++N) {
      uint64_t &Word =
          *reinterpret_cast<uint64_t *>(L.Base + L.Offsets[N] + 16);
      Found += Word == 0;
      Word = 1;
    }
    return Found;
  };
  Count();
  load(L);
  loadShared(L);
  EXPECT_EQ(Count(), 0u);
  store(L);
  EXPECT_EQ(Count(), 1024u);
  storeAhead(L);
  EXPECT_EQ(Count(), 1024u);
  flush(L);
  EXPECT_EQ(walk(C.lines().first(), 1024), C.lines().first());
}

TEST(BenchKernels, RangesAreDoneWhole) {
  Buffer B(64 << 10);
  auto Words = [&](size_t From, size_t Step) {
    unsigned Zeros = 0;
    for (size_t At = From; At < B.Bytes; At += Step)
      Zeros += *reinterpret_cast<uint64_t *>(B.Start + At) == 0;
    return Zeros;
  };
  std::fill(B.Start, B.Start + B.Bytes, 7);
  loadRange(B.Start, B.Bytes);
  EXPECT_EQ(Words(0, 8), 0u);
  storeRange(B.Start, B.Bytes);
  EXPECT_EQ(Words(0, 64), 1024u);
  EXPECT_EQ(Words(8, 64), 0u);
  copyRange(B.Start + (32 << 10), B.Start, 32 << 10);
  EXPECT_EQ(Words(0, 64), 1024u);
  EXPECT_EQ(Words(8, 64), 0u);
  storeRangePast(B.Start, B.Bytes);
  EXPECT_EQ(Words(0, 8), 8192u);
}

TEST(BenchKernels, Sweeps) {
  std::vector<double> A(64, 2.0);
  EXPECT_EQ(readUse(A.data(), 16, 4), 32);
  readModifyWrite(A.data(), 16, 4);
  EXPECT_EQ(A[0], 3.5);
  EXPECT_EQ(A[60], 3.5);
  EXPECT_EQ(std::count(A.begin(), A.end(), 2.0), 48);
}

// --- The restart rule.

TEST(BenchRestart, StopsWhenConstant) {
  RestartWatch W({});
  unsigned Added = 0;
  bool Enough = false;
  while (!Enough && Added < 200)
    Enough = W.add(Added++ < 10 ? 300 - 10 * double(Added) : 100);
  EXPECT_TRUE(W.settled());
  EXPECT_EQ(W.result(), 100);
  // Ten falling values leave the window, which anchors; then it must stay.
  EXPECT_GE(Added, 13u + 19u);
  EXPECT_LE(Added, 10u + 13u + 19u + 1u);
}

TEST(BenchRestart, ADriftIsNoConstant) {
  RestartRule Strict, Loose;
  Loose.FromStart = false;
  RestartWatch A(Strict), B(Loose);
  bool AEnough = false, BEnough = false;
  for (unsigned N = 0; N < 60; ++N) {
    AEnough |= A.add(100 + N);
    BEnough |= B.add(100 + N);
  }
  EXPECT_FALSE(AEnough);
  EXPECT_TRUE(BEnough);
}

// --- Plans.

Machine machineOf(unsigned Nodes, unsigned Each) {
  Machine M;
  for (unsigned N = 0; N < Nodes; ++N) {
    M.Nodes.push_back({N, {}, 0});
    for (unsigned P = 0; P < Each; ++P)
      M.Nodes.back().Processors.push_back(N * Each + P);
    M.Steps.emplace_back();
    for (unsigned To = 0; To < Nodes; ++To)
      M.Steps.back().push_back(N == To ? 0 : 1 + (N / 2 != To / 2));
  }
  M.PrivateBytes = 1 << 20;
  M.SharedBytes = 32 << 20;
  return M;
}

const PlannedTable &tableOf(const Plan &P, const std::string &Name) {
  static const PlannedTable None;
  for (const PlannedTable &T : P.Tables)
    if (T.Name == Name)
      return T;
  ADD_FAILURE() << "no table " << Name;
  return None;
}

void addAll(Plan &P) {
  for (const Experiment &E : experiments())
    E.Add(P);
  for (const PlannedTable &T : P.Tables)
    for (const auto &Row : T.Rows)
      EXPECT_EQ(Row.size(), T.Columns.size()) << T.Name;
  for (const Case &C : P.Cases) {
    EXPECT_FALSE(C.Local.empty()) << nameOf(C.TimedKernel);
    for (unsigned R : C.Remote)
      EXPECT_EQ(std::count(C.Local.begin(), C.Local.end(), R), 0)
          << nameOf(C.TimedKernel) << ' ' << nameOf(C.From);
  }
}

TEST(BenchPlan, OneNodeSaysWhatIsMissing) {
  Machine M = machineOf(1, 2);
  Plan P(M, 0);
  addAll(P);
  EXPECT_EQ(P.Notes.size(), 4u);
  EXPECT_EQ(tableOf(P, "latency by node").Rows.size(), 1u);
  EXPECT_EQ(tableOf(P, "interventions by placement").Rows.size(), 1u);
}

TEST(BenchPlan, OneProcessorHasNoOthers) {
  Machine M = machineOf(1, 1);
  Plan P(M, 0);
  addAll(P);
  EXPECT_EQ(std::count(P.Notes.begin(), P.Notes.end(), OneProcessor), 1);
  for (const Case &C : P.Cases)
    EXPECT_TRUE(C.Remote.empty());
  EXPECT_EQ(tableOf(P, "states, latency").Rows[3][1].Content, Cell::Empty);
}

TEST(BenchPlan, FourNodes) {
  Machine M = machineOf(4, 2);
  Plan P(M, 1);
  addAll(P);
  EXPECT_TRUE(P.Notes.empty()) << P.Notes[0];
  EXPECT_EQ(tableOf(P, "latency by node").Rows.size(), 4u);
  // Nearest first: 1 itself, 0, then 2 and 3.
  const auto &Remote = tableOf(P, "remote latency");
  EXPECT_EQ(Remote.Rows[0][0].Known, 1);
  EXPECT_EQ(Remote.Rows[1][0].Known, 0);
  EXPECT_EQ(Remote.Rows[3][1].Known, 2);
  EXPECT_EQ(tableOf(P, "latency by hop").Rows[2][1].Known, 2);
  // Of a placement at distance 2: x: L and H on 1; y: H and R; z: L and R.
  const auto &Row = tableOf(P, "interventions by placement").Rows[2];
  const Case &X = P.Cases[Row[2].A[0]], &Y = P.Cases[Row[3].A[0]],
             &Z = P.Cases[Row[4].A[0]];
  EXPECT_EQ(X.Home, 1u);
  EXPECT_EQ(X.Local[0] / 2, 1u);
  EXPECT_EQ(X.Remote[0] / 2, 2u);
  EXPECT_EQ(Y.Home, 1u);
  EXPECT_EQ(Y.Local[0] / 2, 2u);
  EXPECT_EQ(Y.Remote[0] / 2, 1u);
  EXPECT_EQ(Z.Home, 2u);
  EXPECT_EQ(Z.Local[0] / 2, 1u);
  EXPECT_EQ(Z.Remote[0] / 2, 1u);
  EXPECT_NE(Z.Remote[0], Z.Local[0]);
  // All eight share at last.
  EXPECT_EQ(tableOf(P, "invalidation by sharers, latency").Rows.back()[0].Known,
            7);
}

TEST(BenchPlan, MemoryOnlyNodesAreMeasuredFromOthers) {
  Machine M = machineOf(2, 2);
  M.Nodes[0].Processors.clear();
  Plan P(M, 0);
  addAll(P);
  EXPECT_EQ(P.reader(), 2u);
  EXPECT_EQ(tableOf(P, "latency by node").Rows.size(), 1u);
  EXPECT_EQ(tableOf(P, "latency by node").Columns.size(), 3u);
}

TEST(BenchPlan, LittleMemoryIsNotExceeded) {
  Machine M = machineOf(2, 1);
  for (uint64_t MiB : {16, 100, 1000, 100000}) {
    M.Nodes[0].FreeBytes = M.Nodes[1].FreeBytes = MiB << 20;
    const Sizes S = sizesFor(M);
    Plan P(M, 0);
    addAll(P);
    for (const Case &C : P.Cases)
      EXPECT_LE(C.Bytes, S.RangeBytes);
    EXPECT_LE(2 * S.AloneBytes, S.RangeBytes);
    EXPECT_EQ(S.AloneBytes % (64 << 10), 0u);
    if (MiB >= 100) {
      EXPECT_LE(S.RangeBytes + S.WideBytes + 1024 * S.Lines, MiB << 19);
    }
  }
}

TEST(BenchPlan, LargeMachinesStayMeasurable) {
  Machine M = machineOf(16, 16);
  Plan P(M, 0);
  addAll(P);
  EXPECT_LT(P.Cases.size(), 2600u);
}

TEST(BenchPublished, IsKeptApartAndWhole) {
  auto All = published();
  EXPECT_GT(All.size(), 15u);
  for (const FilledTable &T : All) {
    EXPECT_TRUE(T.Published);
    EXPECT_TRUE(T.Name.starts_with("published "));
    EXPECT_FALSE(T.Rows.empty());
    for (const auto &Row : T.Rows) {
      EXPECT_EQ(Row.size(), T.Columns.size()) << T.Name;
      EXPECT_TRUE(Row[0].Value || !Row[0].Words.empty()) << T.Name;
      for (size_t N = 1; N < Row.size(); ++N)
        EXPECT_TRUE(Row[N].Words.empty()) << T.Name << ": " << Row[N].Words;
    }
  }
}

} // namespace
