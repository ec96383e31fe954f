//===- Report/ShareBins.cpp - Cumulative shares ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShareBins.h"
#include "llvm/Support/MathExtras.h"

using namespace graupel;

unsigned ShareBins::numberOfBounds() const {
  return llvm::Log2_64(Last / First) + 1;
}

void ShareBins::add(double Value, uint64_t Weight) {
  const unsigned Beyond = numberOfBounds();
  unsigned Bin = 0;
  for (; Bin < Beyond; ++Bin) {
    const double Bound = static_cast<double>(First << Bin);
    if (Value < Bound || (Ends == End::Closed && Value == Bound))
      break;
  }
  Content &C = Contents[Bin];
  ++C.Items;
  C.Weight = llvm::SaturatingAdd(C.Weight, Weight);
}

std::vector<ShareBin> ShareBins::bins() const {
  std::vector<ShareBin> Bins;
  if (Contents.empty())
    return Bins;
  uint64_t Total = 0, Sum = 0;
  for (const auto &[Number, C] : Contents)
    Total = llvm::SaturatingAdd(Total, C.Weight);
  Bins.resize(Contents.rbegin()->first + 1);
  for (unsigned I = 0; I < Bins.size(); ++I) {
    ShareBin &Bin = Bins[I];
    if (I < numberOfBounds())
      Bin.Bound = First << I;
    if (auto It = Contents.find(I); It != Contents.end()) {
      Bin.Items = It->second.Items;
      Bin.Weight = It->second.Weight;
    }
    Sum = llvm::SaturatingAdd(Sum, Bin.Weight);
    Bin.Percent = percent(Bin.Weight, Total);
    Bin.CumulativePercent = percent(Sum, Total);
  }
  return Bins;
}
