//===- Stride/Record/Streams.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include <algorithm>

namespace graupel::stride {

static void addCounts(Histograms &To, const ShareCounts &S, Variant V,
                      unsigned MaxLag) {
  auto &[References, Forward, Backward, NoPredecessor, Lags, Groups] = To;
  NoPredecessor.resize(MaxLag);
  Lags.resize(MaxLag);
  References += S.Facts.References;
  Forward += S.Facts.Forward;
  Backward += S.Facts.Backward;
  for (unsigned Lag = 0; Lag < MaxLag; ++Lag) {
    const LagCounts &From = S.Lags[Lag];
    NoPredecessor[Lag] +=
        V == Variant::All ? S.NoPredecessor[Lag] : S.NoPredecessorFiltered[Lag];
    Lags[Lag].add(From.Filtered);
    if (V == Variant::All)
      Lags[Lag].add(From.OnlyAll);
  }
}

void Histograms::add(const ShareCounts &S, Variant V, unsigned MaxLag) {
  addCounts(*this, S, V, MaxLag);
  if (!S.Group)
    return;
  Groups.resize(GroupCount);
  addCounts(Groups[S.Group - 1], S, V, MaxLag);
}

std::string nameOfBin(unsigned Bin) {
  if (Bin < ExactBins)
    return std::to_string(Bin);
  if (Bin == Bins - 1)
    return ">=" + std::to_string(firstOf(Bin));
  return std::to_string(firstOf(Bin)) + "-" +
         std::to_string(firstOf(Bin + 1) - 1);
}

std::map<uint32_t, LoopShare> makeLoops(const Record &R, Variant V,
                                        unsigned MaxLag) {
  std::map<uint32_t, LoopShare> Result;
  for (const ShareCounts &S : R.Shares) {
    const SiteRecord &Where = R.Sites[S.Facts.Site].Facts;
    if (Where.Loop == NoNumber)
      continue;
    LoopShare &L = Result[Where.Loop];
    (Where.Kind == SiteKind::Store ? L.Stores : L.Loads).add(S, V, MaxLag);
  }
  return Result;
}

std::vector<ObjectStream> makeStreams(const Record &R, const Objects &O,
                                      Variant V, unsigned MaxLag) {
  std::map<std::pair<uint32_t, bool>, std::map<uint32_t, Histograms>> Found;
  std::map<std::pair<uint32_t, bool>, ObjectStream> ByKey;
  for (const ShareCounts &S : R.Shares) {
    std::pair<uint32_t, bool> Key{O.numberOf(S.Facts.Object),
                                  R.Sites[S.Facts.Site].Facts.Kind ==
                                      SiteKind::Store};
    Found[Key][S.Facts.Site].add(S, V, MaxLag);
    ByKey[Key].Counts.add(S, V, MaxLag);
  }
  std::vector<ObjectStream> Result;
  for (auto &[Key, Stream] : ByKey) {
    Stream.Object = Key.first;
    Stream.Store = Key.second;
    Stream.Name = O[Key.first].Name;
    std::map<unsigned, uint64_t> Elements;
    for (auto &[Number, Counts] : Found[Key]) {
      Elements[R.Sites[Number].Facts.ElementBytes] += Counts.References;
      Stream.Sites.push_back({Number, std::move(Counts)});
    }
    Stream.ElementBytes =
        std::max_element(Elements.begin(), Elements.end(),
                         [](auto &A, auto &B) { return A.second < B.second; })
            ->first;
    std::stable_sort(Stream.Sites.begin(), Stream.Sites.end(),
                     [](const SiteShare &A, const SiteShare &B) {
                       return A.Counts.References > B.Counts.References;
                     });
    Result.push_back(std::move(Stream));
  }
  std::stable_sort(Result.begin(), Result.end(),
                   [](const ObjectStream &A, const ObjectStream &B) {
                     return A.Counts.References > B.Counts.References;
                   });
  return Result;
}

} // namespace graupel::stride
