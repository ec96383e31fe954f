//===- Align/FetchCost.cpp - Cost of fetching code ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FetchCost.h"
#include <algorithm>

using namespace graupel;

uint64_t graupel::unitsTouched(const PlacedBlock &B, uint64_t Size) {
  return B.End > B.Begin ? (B.End - 1) / Size - B.Begin / Size + 1 : 0;
}

uint64_t graupel::unitsEntered(const PlacedBlock &B, uint64_t Size) {
  const uint64_t FallIn = std::min(B.FallIn, B.Count);
  const uint64_t JumpedTo = B.Count - FallIn;
  const uint64_t Inside = B.End > B.Begin ? unitsTouched(B, Size) - 1 : 0;
  // From the last byte of the code before to the first byte of this.
  const uint64_t Before =
      B.PreviousEnd ? B.Begin / Size - (B.PreviousEnd - 1) / Size : 0;
  return JumpedTo + FallIn * Before + B.Count * Inside;
}

uint64_t graupel::jumpsAtBoundary(const PlacedBlock &B) {
  if (!B.JumpSize || B.End - B.Begin < B.JumpSize)
    return 0;
  const bool Crosses =
      (B.End - B.JumpSize) / DecodeWindow != B.End / DecodeWindow;
  return Crosses ? B.Count : 0;
}
