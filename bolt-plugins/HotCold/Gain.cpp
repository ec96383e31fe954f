//===- HotCold/Gain.cpp - Instructions saved on hot paths -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gain.h"

using namespace llvm;
using namespace graupel;

ArrayRef<GainKind> graupel::gainKinds() {
  static constexpr GainKind Kinds[] = {
      {"saves and restores", "saves_and_restores", &HotColdGain::Saves},
      {"stack adjustments", "stack_adjustments", &HotColdGain::Adjusts},
      {"sunk computations", "sunk_computations", &HotColdGain::Sunk},
      {"copies", "copies", &HotColdGain::Moves},
      {"calls and returns", "calls_and_returns", &HotColdGain::Calls},
      {"jumps", "jumps", &HotColdGain::Jumps},
      {"folded branches", "folded_branches", &HotColdGain::Branches},
  };
  static_assert(sizeof(HotColdGain) == std::size(Kinds) * sizeof(double),
                "each kind has a name");
  return Kinds;
}

double HotColdGain::total() const {
  double Sum = 0;
  for (const GainKind &Kind : gainKinds())
    Sum += this->*Kind.Count;
  return Sum;
}

HotColdGain &HotColdGain::operator+=(const HotColdGain &Other) {
  for (const GainKind &Kind : gainKinds())
    this->*Kind.Count += Other.*Kind.Count;
  return *this;
}
