//===- Split/SplitOutcome.cpp - Why functions are not split ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitOutcome.h"
#include "llvm/Support/ErrorHandling.h"

using namespace graupel;

const char *graupel::explain(SplitOutcome O) {
  switch (O) {
  case SplitOutcome::Split:
    return "split";
  case SplitOutcome::AllHot:
    return "not split: all blocks hot";
  case SplitOutcome::AllCold:
    return "not split: all blocks cold";
  case SplitOutcome::NotSmaller:
    return "not split: the hot part would not get smaller";
  }
  llvm_unreachable("unknown outcome");
}

SplitTally &graupel::splitTally() {
  static SplitTally Tally = {};
  return Tally;
}
