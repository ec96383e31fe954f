//===- Stride/Analysis/Pattern.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pattern.h"
#include <algorithm>
#include <cstdlib>

namespace graupel::stride {

void Pattern::add(const Pattern &P) {
  References += P.References;
  First += P.First;
  Same += P.Same;
  Unit += P.Unit;
  Constant += P.Constant;
  Irregular += P.Irregular;
  Far += P.Far;
  for (size_t N = 0; N < std::size(Lag1); ++N)
    Lag1[N] += P.Lag1[N];
  Lines += P.Lines;
  Bytes += P.Bytes;
  NearDistance += P.NearDistance;
  NearBytes += P.NearBytes;
  for (size_t N = 0; N < std::size(Near); ++N)
    Near[N] += P.Near[N];
}

/// Whether a reference with a distance of a bin ends there. The threshold's own
/// bin may be split; its references count as if they went on.
static bool endsIn(unsigned Bin, uint64_t Threshold, bool PassEqual) {
  uint64_t Last = Bin < ExactBins  ? Bin
                  : Bin + 1 < Bins ? firstOf(Bin + 1) - 1
                                   : ~uint64_t(0);
  return PassEqual ? Last < Threshold : Last <= Threshold;
}

/// Sorts what is far: nothing in the histograms says more than these.
static void sortFar(Pattern &P, const ShareCounts &S, const Site &Where,
                    const int64_t *Step, uint64_t Threshold, bool PassEqual) {
  if (Step && *Step) {
    uint64_t Bytes = static_cast<uint64_t>(std::llabs(*Step));
    if (Bytes == Where.Facts.Bytes || Bytes == Where.Facts.ElementBytes)
      P.Unit += P.Far;
    else
      P.Constant += P.Far;
    return;
  }
  if (Step) {
    P.Constant += P.Far;
    return;
  }
  uint64_t Most = 0;
  for (auto [Bin, Count] : S.Lags[0].Filtered)
    // The last bin has no end.
    if (!endsIn(Bin, Threshold, PassEqual) && Bin != Bins - 1)
      Most = std::max(Most, Count);
  (static_cast<double>(Most) >= 0.9 * static_cast<double>(P.Far)
       ? P.Constant
       : P.Irregular) += P.Far;
}

Pattern patternOf(const ShareCounts &S, const Site &Where, uint64_t Threshold,
                  bool PassEqual, const int64_t *Step) {
  Pattern P;
  P.References = S.Facts.References;
  const double Bytes = Where.Facts.Bytes;
  P.Bytes = Bytes * static_cast<double>(P.References);
  for (uint64_t Each : S.NoPredecessorFiltered)
    P.First += Each;
  uint64_t Ended = 0;
  for (size_t Lag = 0; Lag < S.Lags.size(); ++Lag)
    for (auto [Bin, Count] : S.Lags[Lag].Filtered) {
      if (!endsIn(Bin, Threshold, PassEqual))
        continue;
      const double N = static_cast<double>(Count);
      Ended += Count;
      if (Bin == 0) {
        P.Same += Count;
        continue;
      }
      const double Distance = static_cast<double>(firstOf(Bin));
      P.Lines += N * std::min(1.0, Distance / LineBytes);
      if (Bin == Where.Facts.ElementBytes || Bin == Where.Facts.Bytes) {
        P.Unit += Count;
      } else {
        P.Constant += Count;
        P.NearDistance += N * Distance;
        P.NearBytes += N * Bytes;
        if (Bin < ExactBins)
          P.Near[Bin] += Count;
      }
    }
  // The remainder; a process may have ended while counters were written.
  P.Far = P.References - std::min(P.References, Ended + P.First);
  P.Lines += static_cast<double>(P.Far + P.First);
  if (P.Far) {
    for (unsigned Bin = ExactBins; Bin < Bins; ++Bin)
      P.Lag1[Bin - ExactBins] = S.Lags[0].Filtered[Bin];
    sortFar(P, S, Where, Step, Threshold, PassEqual);
  }
  return P;
}

} // namespace graupel::stride
