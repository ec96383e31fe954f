//===- Statistics/Footprint.cpp - Memory that code touches ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "llvm/ADT/STLExtras.h"

using namespace graupel;

uint64_t Footprint::bytes() const {
  uint64_t Sum = 0;
  for (const auto &[Begin, End] : Ranges)
    Sum += End - Begin;
  return Sum;
}

uint64_t Footprint::units(uint64_t Size) const {
  std::vector<std::pair<uint64_t, uint64_t>> Sorted = Ranges;
  llvm::sort(Sorted);
  uint64_t Units = 0, Next = 0; // No unit before Next is counted again.
  for (const auto &[Begin, End] : Sorted) {
    const uint64_t First = std::max(Begin / Size, Next);
    const uint64_t Last = (End - 1) / Size;
    if (First > Last)
      continue;
    Units += Last - First + 1;
    Next = Last + 1;
  }
  return Units;
}
