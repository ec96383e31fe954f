//===- Numa/Bench/Statistics.cpp - What samples are worth -------------------===//
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

Verdict judge(const Samples &S) {
  const std::vector<double> &B = S.Bests;
  Verdict V{quantile(B, 0.5), false, ""};
  if (B.size() < LeastPasses) {
    V.Why = "measured in " + std::to_string(B.size()) + " of at least " +
            std::to_string(LeastPasses) + " passes";
    return V;
  }
  auto Middle = B.begin() + long(B.size() / 2);
  double First = quantile({B.begin(), Middle}, 0.5),
         Second = quantile({Middle, B.end()}, 0.5);
  double Apart = std::abs(First - Second) / std::min(First, Second);
  double Spread = (quantile(B, 0.75) - quantile(B, 0.25)) / V.Value;
  // Another run's median is as far from this one's as the halves' are from each
  // other, at worst.
  if (Apart > Tolerance / 2)
    V.Why = "the second half of the run differs from the first by " +
            percent(Apart);
  else if (Spread > Tolerance)
    V.Why = "half of the passes spread over " + percent(Spread);
  V.Stable = V.Why.empty();
  return V;
}

} // namespace graupel::numa::bench
