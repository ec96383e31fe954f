//===- Numa/Bench/Session.cpp - Measures a plan -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
/// Passes that a run should have at least; a dear case is left out of others.
constexpr unsigned WantedPasses = 8;

void Session::run(double Seconds) {
  Records.assign(P.Cases.size(), {});
  Before = stolen();
  const double Start = now(), Until = Start + Seconds;
  unsigned Count = UsualCount;
  double Last = 0;
  do {
    double PassStart = now();
    // The first pass finds out what a pass costs.
    if (!pass(Passes == 0 ? 2 : Count, Passes == 0 ? Until + Seconds : Until))
      break;
    Last = now() - PassStart;
    ++Passes;
    if (Passes == 1) {
      double PerSample = Last / 2;
      Count = unsigned(std::clamp(Seconds / WantedPasses / PerSample, 1.0,
                                  double(UsualCount)));
    }
  } while (Passes < LeastPasses ? now() < Until : now() + Last < Until);
  Elapsed = now() - Start;
  After = stolen();
}

bool Session::pass(unsigned Count, double Until) {
  for (size_t N = 0; N < P.Cases.size(); ++N) {
    if (now() > Until)
      return false;
    measure(N, Count);
  }
  return true;
}

void Session::measure(size_t N, unsigned Count) {
  const Case &C = P.Cases[N];
  Record &R = Records[N];
  if (C.What == Kernel::Restart)
    Count = 1;
  else if (C.At == Place::Range || C.Stride)
    Count = std::min(Count, 3u);
  Batch B;
  bool Held = false;
  const double Start = now();
  for (unsigned Try = 0; Try < 3 && !Held; ++Try) {
    // The first look tells where the processors are now.
    if (Try == 0)
      (void)Pairs.holds(C);
    B = M.measure(C, Count);
    Held = Pairs.holds(C);
  }
  R.Seconds = std::max(R.Seconds, now() - Start);
  R.Moved += !Held;
  R.Disturbed += B.Disturbed;
  R.Unsettled += !B.Settled;
  if (double Apart = Pairs.current(C)) {
    R.Nearest = R.Nearest ? std::min(R.Nearest, Apart) : Apart;
    R.Farthest = std::max(R.Farthest, Apart);
  }
  auto [Least, Most] = std::minmax_element(B.Values.begin(), B.Values.end());
  R.Seen.Bests.push_back(isLatency(C.What) ? *Least : *Most);
  R.Seen.All.insert(R.Seen.All.end(), B.Values.begin(), B.Values.end());
}

static std::string nanoseconds(double Value) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%.0f ns", Value);
  return Text;
}

Verdict Session::verdict(size_t N) const {
  const Case &C = P.Cases[N];
  const Record &R = Records[N];
  Verdict V = judge(R.Seen);
  auto Object = [&](const std::string &Why) {
    V.Stable = false;
    V.Why = V.Why.empty() ? Why : V.Why + "; " + Why;
  };
  const size_t Half = (R.Seen.Bests.size() + 1) / 2;
  if (R.Moved >= Half || (!V.Stable && differs(R.Nearest, R.Farthest)))
    Object("the processors have moved, from " + nanoseconds(R.Nearest) +
           " apart to " + nanoseconds(R.Farthest));
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
  auto Mean = [&](const std::vector<size_t> &Of) -> std::optional<double> {
    double Sum = 0;
    for (size_t N : Of) {
      if (Records[N].Seen.Bests.empty()) {
        Why = "time was up; give more with --seconds";
        return std::nullopt;
      }
      Verdict V = verdict(N);
      if (!V.Stable && Why.empty())
        Why = V.Why;
      Sum += V.Value;
    }
    return Sum / double(Of.size());
  };
  if (C.Is == Cell::Empty)
    return {};
  if (C.Is == Cell::Number)
    return {C.Known};
  if (C.Is == Cell::Text)
    return {{}, C.Words};
  auto A = Mean(C.A);
  if (C.Is == Cell::Mean || !A)
    return {A};
  auto B = Mean(C.B);
  if (!B)
    return {};
  switch (C.Is) {
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
        Why = T.Columns[Column] + ": " + Here;
      }
      T.Unstable.push_back(Why);
    }
    All.push_back(std::move(T));
  }
  return All;
}

double Session::stolenPercent() const {
  double All = double(After.All - Before.All);
  return All > 0 ? 100 * double(After.Ticks - Before.Ticks) / All : 0;
}

} // namespace graupel::numa::bench
