//===- Stride/Record/Sampling.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From counts of bursts to estimates:
//
// 1. estimate() refuses bursts of threads or groups that are not there, or with
//    more references than the thread made. It takes as the weight of a thread
//    its references divided by those in bursts.
// 2. scaleShare() scales a share. References that warmed the history up count
//    as the others, and the largest bin gets what rounding lost.
// 3. estimate() scales loops, pages, homes and bulk calls by the same weights.
// 4. sampledPart() adds the parts up.
// 5. Uncertainty adds references up by group. ofRatio() takes the standard
//    error of a ratio from the differences of the groups (Wolter 2007), times
//    Student's factor for 95 %. With fewer than four groups there is no value.
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include <cmath>

namespace graupel::stride {

static uint64_t scaled(uint64_t Count, double Factor) {
  return static_cast<uint64_t>(static_cast<double>(Count) * Factor);
}

/// Returns the sum.
static uint64_t scale(BinCounts &Counts, double Factor) {
  BinCounts New;
  uint64_t Sum = 0;
  for (auto [Bin, Count] : Counts) {
    New.add(Bin, scaled(Count, Factor));
    Sum += scaled(Count, Factor);
  }
  Counts = New;
  return Sum;
}

/// Adds the loss by rounding to the largest count.
static bool addToLargest(BinCounts &Counts, uint64_t Lost) {
  BinCounts::Pair Largest{0, 0};
  for (auto Each : Counts)
    if (Each.second > Largest.second)
      Largest = Each;
  if (!Largest.second)
    return false;
  Counts.add(Largest.first, Lost);
  return true;
}

/// References that only warmed the history up are as the others of their share.
static void scaleShare(ShareCounts &S, double Weight) {
  uint64_t Counted = S.Facts.References;
  double All = static_cast<double>(Counted + S.Facts.WarmUp);
  uint64_t References = scaled(Counted + S.Facts.WarmUp, Weight);
  double Factor = Counted ? Weight * All / static_cast<double>(Counted) : 0;
  S.Facts.References = References;
  S.Facts.Forward = scaled(S.Facts.Forward, Factor);
  S.Facts.Backward = scaled(S.Facts.Backward, Factor);
  if (!Counted)
    S.NoPredecessor[0] = S.NoPredecessorFiltered[0] = References;
  for (LagCounts &L : S.Lags) {
    uint64_t Sum = scale(L.Filtered, Factor) + scale(L.OnlyAll, Factor);
    if (Counted && Sum < References &&
        !addToLargest(L.OnlyAll, References - Sum))
      addToLargest(L.Filtered, References - Sum);
  }
}

bool estimate(Record &R) {
  if (R.Bursts.empty())
    return true;
  std::vector<const BurstsRecord *> ByThread(R.Threads.size());
  for (const BurstsRecord &B : R.Bursts) {
    if (B.Thread >= R.Threads.size() || B.Group > Histograms::GroupCount ||
        B.InBursts > B.References)
      return false;
    ByThread[B.Thread] = &B;
  }
  auto WeightOf = [&](uint32_t Thread) {
    const BurstsRecord *B =
        Thread < ByThread.size() ? ByThread[Thread] : nullptr;
    // The process was killed before it wrote how many there were.
    return B && B->InBursts ? static_cast<double>(B->References) /
                                  static_cast<double>(B->InBursts)
                            : 1.0;
  };
  for (ShareCounts &S : R.Shares) {
    scaleShare(S, WeightOf(S.Facts.Thread));
    if (const BurstsRecord *B = ByThread[S.Facts.Thread])
      S.Group = B->Group;
  }
  for (LoopCounts &L : R.LoopExecutions) {
    L.Executions = scaled(L.Executions, WeightOf(L.Thread));
    L.Iterations = scaled(L.Iterations, WeightOf(L.Thread));
  }
  for (PagesRecord &P : R.Pages)
    for (PageCounts &C : P.Pages) {
      C.LoadBytes = scaled(C.LoadBytes, WeightOf(P.Thread));
      C.StoreBytes = scaled(C.StoreBytes, WeightOf(P.Thread));
    }
  for (HomesRecord &H : R.Homes)
    for (uint64_t *Bytes : {&H.Local, &H.Remote, &H.Unknown})
      *Bytes = scaled(*Bytes, WeightOf(H.Thread));
  for (BulkRecord &B : R.Bulk) {
    B.Calls = scaled(B.Calls, WeightOf(B.Thread));
    B.Bytes = scaled(B.Bytes, WeightOf(B.Thread));
  }
  return true;
}

std::optional<Sampled> sampledPart(const Record &R) {
  if (R.Bursts.empty())
    return std::nullopt;
  Sampled Sum;
  for (const BurstsRecord &B : R.Bursts) {
    Sum.Burst = B.Burst;
    Sum.Every = B.Every;
    Sum.Bursts += B.Bursts;
    Sum.InBursts += B.InBursts;
    Sum.References += B.References;
  }
  return Sum;
}

Uncertainty::Uncertainty(const Record &R) {
  if (R.Bursts.empty())
    return;
  All.resize(Histograms::GroupCount);
  for (const ShareCounts &S : R.Shares)
    if (S.Group)
      All[S.Group - 1] += static_cast<double>(S.Facts.References);
}

/// The uncertainty of the ratio of two sums over groups.
static std::optional<double> ofRatio(const std::vector<double> &Part,
                                     const std::vector<double> &Whole) {
  double Parts = 0, Wholes = 0;
  unsigned Groups = 0;
  for (size_t N = 0; N < Whole.size(); ++N)
    if (Whole[N] > 0) {
      ++Groups;
      Parts += Part[N];
      Wholes += Whole[N];
    }
  // Student's factor for 95 %, by degrees of freedom.
  static const double Factors[] = {0,     12.706, 4.303, 3.182,
                                   2.776, 2.571,  2.447, 2.365};
  if (Groups < 4 || Groups > std::size(Factors))
    return std::nullopt;
  double Ratio = Parts / Wholes, Squares = 0;
  for (size_t N = 0; N < Whole.size(); ++N)
    if (Whole[N] > 0)
      Squares += std::pow(Part[N] - Ratio * Whole[N], 2);
  double Error = std::sqrt(Squares * Groups / double(Groups - 1)) / Wholes;
  return 100 * Factors[Groups - 1] * Error;
}

std::optional<double> Uncertainty::ofShare(const Histograms &H) const {
  std::vector<double> Part(All.size());
  for (size_t N = 0; N < H.Groups.size() && N < Part.size(); ++N)
    Part[N] = static_cast<double>(H.Groups[N].References);
  return ofRatio(Part, All);
}

std::optional<double> Uncertainty::ofBin(const Histograms &H, unsigned Lag,
                                         unsigned Bin) const {
  std::vector<double> Part, Whole;
  for (const Histograms &Each : H.Groups) {
    Whole.push_back(static_cast<double>(Each.References));
    Part.push_back(
        Lag < Each.Lags.size() ? static_cast<double>(Each.Lags[Lag][Bin]) : 0);
  }
  return ofRatio(Part, Whole);
}

} // namespace graupel::stride
