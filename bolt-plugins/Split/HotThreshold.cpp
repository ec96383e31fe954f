//===- Split/HotThreshold.cpp - Which counts are cold ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HotThreshold.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace graupel;

void CountDistribution::add(uint64_t Count, uint64_t Instructions) {
  uint64_t &Sum = InstructionsByCount[Count];
  Sum = llvm::SaturatingAdd(Sum, Instructions);
  Executed = llvm::SaturatingMultiplyAdd(Count, Instructions, Executed);
}

uint64_t CountDistribution::coldThreshold(double Share) const {
  const double Budget = Share * static_cast<double>(Executed);
  uint64_t Threshold = 0, Cold = 0;
  for (const auto &[Count, Instructions] : InstructionsByCount) {
    Cold = llvm::SaturatingMultiplyAdd(Count, Instructions, Cold);
    if (static_cast<double>(Cold) > Budget)
      break;
    Threshold = Count;
  }
  return Threshold;
}

uint64_t CountDistribution::executedAtMost(uint64_t Count) const {
  uint64_t Sum = 0;
  for (const auto &[BlockCount, Instructions] : InstructionsByCount) {
    if (BlockCount > Count)
      break;
    Sum = llvm::SaturatingMultiplyAdd(BlockCount, Instructions, Sum);
  }
  return Sum;
}

void CountDistribution::print(llvm::raw_ostream &OS, uint64_t Threshold) const {
  const double Percent =
      Executed ? 100.0 * executedAtMost(Threshold) / Executed : 0.0;
  OS << "threshold " << Threshold << ": " << llvm::format("%.2f", Percent)
     << " % of " << Executed << " executed instructions are cold\n";
}
