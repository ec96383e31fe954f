//===- Numa/Bench/Session.cpp - Measures a plan ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures all cases of a plan in passes, and fills the plan's tables.
//
// 1. run makes a first pass of two samples a case, which tells what a pass
//    costs. From that it chooses samples a pass, so that there can be at least
//    eight passes, and makes passes while there is time.
// 2. pass measures one case after the other. A dear case may be measured in
//    every third or fourth pass only.
// 3. measure looks where the processors of a case are, takes samples, and
//    checks that they are still there. If not, it tries once more. It keeps all
//    samples and the best.
// 4. verdict judges a case's samples (Statistics), and objects if processors
//    moved, others disturbed it, the state was not made, or pages are
//    elsewhere.
// 5. tables fills cells with means, differences, ratios or increases. Each row
//    gets the first reason why a figure in it is not stable.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace graupel::numa::bench {

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Samples of a case in a pass.
constexpr unsigned UsualCount = 5;
/// Passes that a run should have at least.
constexpr unsigned WantedPasses = 8;
/// A batch that takes longer, in seconds, is dear; if there are many passes it
/// need not be in all.
constexpr double Dear = 0.5;

void Session::run(double Seconds) {
  Records.assign(P.Cases.size(), {});
  Before = usage();
  const double Start = now(), Until = Start + Seconds;
  unsigned Count = UsualCount;
  double Last = 0;
  do {
    double PassStart = now();
    // The first pass finds out what a pass costs.
    if (!pass(Passes == 0 ? 2 : Count,
              Passes == 0 ? Until + Seconds / 4 : Until))
      break;
    Last = now() - PassStart;
    ++Passes;
    if (Passes == 1) {
      double PerSample = Last / 2;
      Count = unsigned(std::clamp(Seconds / WantedPasses / PerSample, 1.0,
                                  double(UsualCount)));
      // Left out where there are many passes anyway, and where few would leave
      // too few for everything else.
      double Expected = Seconds / Last;
      DearEach = Expected < WantedPasses        ? 4
                 : Expected >= 2 * WantedPasses ? 3
                                                : 1;
    }
  } while (Passes < LeastPasses ? now() < Until : now() + Last < Until);
  Elapsed = now() - Start;
  After = usage();
}

bool Session::pass(unsigned Count, double Until) {
  for (size_t N = 0; N < P.Cases.size(); ++N) {
    if (now() > Until)
      return false;
    if (Records[N].Seconds < Dear || Passes % DearEach == 0)
      measure(N, Count);
  }
  return true;
}

void Session::measure(size_t N, unsigned Count) {
  const Case &C = P.Cases[N];
  Record &R = Records[N];
  if (C.TimedKernel == Kernel::Restart)
    Count = 1;
  else if (C.At == Place::Range || C.Stride)
    Count = std::min(Count, 3u);
  Batch B;
  bool Held = false;
  const double Start = now();
  for (unsigned Try = 0; Try < 2 && !Held; ++Try) {
    // Where the processors are now.
    if (Try == 0)
      Pairs.look(C);
    B = M.measure(C, Count);
    Held = Pairs.holds(C);
  }
  R.Seconds = std::max(R.Seconds, now() - Start);
  R.Moved += !Held;
  R.Disturbed += B.Disturbed;
  R.Unsettled += !B.Settled;
  R.Seen.Apart.push_back(Pairs.current(C));
  auto [Least, Most] = std::minmax_element(B.Values.begin(), B.Values.end());
  R.Seen.Bests.push_back(isLatency(C.TimedKernel) ? *Least : *Most);
  R.Seen.All.insert(R.Seen.All.end(), B.Values.begin(), B.Values.end());
}

bool Session::looksCached(const Case &C, double Value) const {
  if (C.From == State::None ||
      (C.TimedKernel != Kernel::Read && C.TimedKernel != Kernel::RdexSer))
    return false;
  const Case Cached{
      .TimedKernel = C.TimedKernel, .Home = C.Home, .Local = C.Local};
  auto At = std::find(P.Cases.begin(), P.Cases.end(), Cached);
  if (At == P.Cases.end())
    return false;
  const auto &Seen = Records[size_t(At - P.Cases.begin())].Seen.All;
  return !Seen.empty() &&
         Value < 2 * *std::min_element(Seen.begin(), Seen.end());
}

Verdict Session::verdict(size_t N) const {
  const Case &C = P.Cases[N];
  const Record &R = Records[N];
  Verdict V = judge(R.Seen, isLatency(C.TimedKernel));
  auto Object = [&](const std::string &Why) {
    V.Stable = false;
    V.Why = V.Why.empty() ? Why : V.Why + "; " + Why;
  };
  const size_t Half = (R.Seen.Bests.size() + 1) / 2;
  if (R.Moved >= Half)
    Object("the processors moved each time while it was measured");
  if (looksCached(C, V.Value))
    Object("it takes no longer than lines of the own cache: the processors "
           "share one, or the state was not made");
  if (R.Disturbed >= Half)
    Object("other programs used the processor");
  if (R.Unsettled >= Half)
    Object("the restart latency did not become constant");
  if (size_t Wrong = M.memory(C.Home).Elsewhere)
    Object(std::to_string(Wrong) + " of " +
           std::to_string(M.memory(C.Home).Pages) +
           " pages are not on the node wanted");
  return V;
}

Entry Session::fill(const Cell &C, std::string &Why) const {
  auto Mean =
      [&](const std::vector<size_t> &CaseNumbers) -> std::optional<double> {
    double Sum = 0;
    for (size_t N : CaseNumbers) {
      if (Records[N].Seen.Bests.empty()) {
        Why = "time was up; give more with --seconds";
        return std::nullopt;
      }
      Verdict V = verdict(N);
      if (!V.Stable && Why.empty())
        Why = V.Why;
      Sum += V.Value;
    }
    return Sum / double(CaseNumbers.size());
  };
  if (C.Content == Cell::Empty)
    return {};
  if (C.Content == Cell::Number)
    return {C.Known};
  if (C.Content == Cell::Text)
    return {{}, C.Words};
  auto A = Mean(C.A);
  if (C.Content == Cell::Mean || !A)
    return {A};
  auto B = Mean(C.B);
  if (!B)
    return {};
  if (C.Content != Cell::Ratio && Why.empty() && !differenceIsStable(*A, *B))
    Why = "two figures that are near to each other: what they differ by is not "
          "known within 5 %";
  switch (C.Content) {
  case Cell::Difference:
    return {*A - *B};
  case Cell::Ratio:
    return {*A / *B};
  default:
    return {100 * (*A / *B - 1)};
  }
}

std::vector<FilledTable> Session::tables() const {
  std::vector<FilledTable> All;
  for (const PlannedTable &Planned : P.Tables) {
    FilledTable T;
    static_cast<TableHead &>(T) = Planned;
    for (const auto &Row : Planned.Rows) {
      T.Rows.emplace_back();
      std::string Why;
      for (const Cell &C : Row) {
        std::string Here;
        T.Rows.back().push_back(fill(C, Here));
        if (Here.empty() || !Why.empty())
          continue;
        const size_t Column = T.Rows.back().size() - 1;
        Why = "column " + T.Columns[Column] + ": " + Here;
      }
      T.Unstable.push_back(Why);
    }
    All.push_back(std::move(T));
  }
  return All;
}

static double percent(uint64_t Part, uint64_t All) {
  return All ? 100 * double(Part) / double(All) : 0;
}

double Session::stolenPercent() const {
  return percent(After.Stolen - Before.Stolen, After.All - Before.All);
}

double Session::othersPercent() const {
  const uint64_t Busy = After.Busy - Before.Busy, Own = After.Own - Before.Own;
  return percent(Busy > Own ? Busy - Own : 0, After.All - Before.All);
}

} // namespace graupel::numa::bench
