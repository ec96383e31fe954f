//===- HotCold/Gain.h - Instructions saved on hot paths ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_GAIN_H
#define GRAUPEL_HOTCOLD_GAIN_H

#include "llvm/ADT/ArrayRef.h"

namespace graupel {

/// The instructions that optimizations took off the hot path, weighted by how
/// often they were executed. A new kind is a member here and a row in
/// gainKinds(); everything else follows.
struct HotColdGain {
  double Sunk = 0, Saves = 0, Adjusts = 0, Moves = 0, Calls = 0, Jumps = 0,
         Branches = 0;

  double total() const;
  HotColdGain &operator+=(const HotColdGain &Other);
};

/// One optimization, as reports call it.
struct GainKind {
  const char *Name;
  const char *Key; ///< In JSON.
  double HotColdGain::*Count;
};

llvm::ArrayRef<GainKind> gainKinds();

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_GAIN_H
