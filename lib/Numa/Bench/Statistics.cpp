//===- Numa/Bench/Statistics.cpp - Stability of samples -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace graupel::numa::bench {

double quantile(std::vector<double> Values, double Share) {
  std::sort(Values.begin(), Values.end());
  double At = Share * double(Values.size() - 1);
  size_t Low = size_t(At);
  if (Low + 1 == Values.size())
    return Values[Low];
  return Values[Low] + (At - double(Low)) * (Values[Low + 1] - Values[Low]);
}

Summary summarize(const std::vector<double> &Values) {
  double Sum = 0, Squares = 0;
  for (double V : Values)
    Sum += V;
  double Average = Sum / double(Values.size());
  for (double V : Values)
    Squares += (V - Average) * (V - Average);
  auto [Least, Most] = std::minmax_element(Values.begin(), Values.end());
  return {*Least, *Most, quantile(Values, 0.5), Average,
          std::sqrt(Squares / double(Values.size()))};
}

static std::string percent(double Share) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%.1f %%", 100 * Share);
  return Text;
}

bool differs(double A, double B) {
  return std::max(A, B) > 1.3 * std::min(A, B);
}

bool differenceIsStable(double A, double B) {
  return (A + B) / 2 <= std::abs(A - B);
}

std::vector<bool> commonest(const std::vector<double> &Apart) {
  std::vector<bool> Most;
  long Count = -1;
  for (double Center : Apart) {
    std::vector<bool> Near;
    for (double A : Apart)
      Near.push_back(!differs(Center, A));
    long Here = std::count(Near.begin(), Near.end(), true);
    if (Here > Count) {
      Count = Here;
      Most = Near;
    }
  }
  return Most;
}

static std::string nanoseconds(double Value) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%.0f ns", Value);
  return Text;
}

/// The objection to values in one class.
static std::string objection(const std::vector<double> &Bests, double Best,
                             bool LeastIsBest) {
  if (Bests.size() < LeastPasses)
    return "measured in " + std::to_string(Bests.size()) + " of at least " +
           std::to_string(LeastPasses) + " passes";
  auto BestOf = [&](auto From, auto To) {
    return LeastIsBest ? *std::min_element(From, To)
                       : *std::max_element(From, To);
  };
  auto Middle = Bests.begin() + long(Bests.size() / 2);
  double First = BestOf(Bests.begin(), Middle),
         Second = BestOf(Middle, Bests.end());
  double Apart = std::abs(First - Second) / std::min(First, Second);
  // Another run is as far from this one as the halves are from each other, at
  // worst.
  if (Apart > Tolerance / 2)
    return "the second half of the run differs from the first by " +
           percent(Apart);
  long Near = std::count_if(Bests.begin(), Bests.end(), [&](double Value) {
    return std::abs(Value - Best) <= Tolerance * Best;
  });
  if (Near < LeastNear || 3 * Near < long(Bests.size()))
    return "only " + std::to_string(Near) + " of " +
           std::to_string(Bests.size()) + " passes came within 5 % of the best";
  return "";
}

Verdict judge(const Samples &S, bool LeastIsBest) {
  const std::vector<bool> Counts = commonest(S.Apart);
  std::vector<double> Bests, Seen;
  for (size_t N = 0; N < S.Bests.size(); ++N)
    if (Counts[N]) {
      Bests.push_back(S.Bests[N]);
      Seen.push_back(S.Apart[N]);
    }
  double Best = LeastIsBest ? *std::min_element(Bests.begin(), Bests.end())
                            : *std::max_element(Bests.begin(), Bests.end());
  std::string Why = objection(Bests, Best, LeastIsBest);
  if (double(Bests.size()) < LeastShare * double(S.Bests.size())) {
    auto [Nearest, Farthest] =
        std::minmax_element(S.Apart.begin(), S.Apart.end());
    Why = "the processors have moved, from " + nanoseconds(*Nearest) +
          " apart to " + nanoseconds(*Farthest) + "; this is of the " +
          std::to_string(Bests.size()) + " passes of " +
          std::to_string(S.Bests.size()) + " when it was about " +
          nanoseconds(quantile(Seen, 0.5));
  }
  return {Best, Why.empty(), Why};
}

} // namespace graupel::numa::bench
