//===- Profile/FlowBalance.cpp - Do the counts add up? --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowBalance.h"
#include <algorithm>

using namespace llvm;
using namespace graupel;

void FlowBalance::addCount(StringRef Name, uint64_t Count) {
  if (Count < Limit || Impossible)
    return;
  Impossible = Count;
  ImpossibleIn = Name.str();
}

void FlowBalance::add(StringRef Name, ArrayRef<BlockFlow> Blocks) {
  double FunctionOff = 0;
  for (const BlockFlow &B : Blocks) {
    double In = 0, Out = 0; // Sums of what may be impossible.
    addCount(Name, B.Count);
    for (uint64_t Count : B.In)
      In += Count;
    for (uint64_t Count : B.Out) {
      addCount(Name, Count);
      Out += Count;
    }
    Flow += std::max(In, Out);
    if (In > Out ? !B.IsLeft : !B.IsEntered)
      FunctionOff += std::max(In, Out) - std::min(In, Out);
  }
  Off += FunctionOff;
  if (FunctionOff <= MostOff)
    return;
  MostOff = FunctionOff;
  Worst = Name.str();
}

double FlowBalance::percentOff() const { return Flow ? 100 * Off / Flow : 0; }
