//===- StrideReport/Streams.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include <algorithm>
#include <cstdio>

namespace graupel::stride {

void Histograms::add(const ShareCounts &S, Variant V, unsigned MaxLag) {
  NoPredecessor.resize(MaxLag);
  Lags.resize(MaxLag);
  References += S.Facts.References;
  Forward += S.Facts.Forward;
  Backward += S.Facts.Backward;
  for (unsigned Lag = 0; Lag < MaxLag; ++Lag) {
    const LagCounts &From = S.Lags[Lag];
    NoPredecessor[Lag] +=
        V == Variant::All ? S.NoPredecessor[Lag] : S.NoPredecessorFiltered[Lag];
    for (unsigned Bin = 0; Bin < Bins; ++Bin)
      Lags[Lag][Bin] +=
          From.Filtered[Bin] + (V == Variant::All ? From.OnlyAll[Bin] : 0);
  }
}

std::string nameOfBin(unsigned Bin) {
  if (Bin < ExactBins)
    return std::to_string(Bin);
  if (Bin == Bins - 1)
    return ">=" + std::to_string(firstOf(Bin));
  return std::to_string(firstOf(Bin)) + "-" +
         std::to_string(firstOf(Bin + 1) - 1);
}

std::string nameOfObject(const Record &R, uint32_t Object) {
  const DataObject &O = R.Objects[Object];
  if (!O.Name.empty())
    return O.Name;
  char Offset[32];
  snprintf(Offset, sizeof(Offset), "+0x%llx",
           static_cast<unsigned long long>(O.Facts.Offset));
  std::string Path =
      O.Facts.Module == NoNumber ? "?" : R.Modules[O.Facts.Module].Path;
  return "heap " + Path.substr(Path.rfind('/') + 1) + Offset;
}

std::vector<ObjectStream> makeStreams(const Record &R, Variant V,
                                      unsigned MaxLag) {
  std::map<std::pair<uint32_t, bool>, std::map<uint32_t, Histograms>> Found;
  for (const ShareCounts &S : R.Shares)
    Found[{S.Facts.Object, R.Sites[S.Facts.Site].Facts.Kind == SiteKind::Store}]
         [S.Facts.Site]
             .add(S, V, MaxLag);

  std::map<std::pair<uint32_t, bool>, ObjectStream> ByKey;
  for (const ShareCounts &S : R.Shares) {
    bool Store = R.Sites[S.Facts.Site].Facts.Kind == SiteKind::Store;
    ByKey[{S.Facts.Object, Store}].Counts.add(S, V, MaxLag);
  }
  std::vector<ObjectStream> Result;
  for (auto &[Key, Stream] : ByKey) {
    Stream.Object = Key.first;
    Stream.Store = Key.second;
    Stream.Name = nameOfObject(R, Key.first);
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
