//===- Driver/CodeAlignment.cpp - Alignment where it pays -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeAlignment.h"
#include "BoltOptions.h"
#include "bolt/Passes/Aligner.h"
#include "bolt/Utils/CommandLineOpts.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// A cache line. Functions that hold at least HotShare of the executed
// instructions start on one; others that run do if that takes at most
// MaxPadding bytes and no more than they are long. Measured:
// docs/results/layout.md.
static constexpr uint64_t LineSize = 64;
static constexpr uint64_t MaxPadding = 32;
static constexpr double HotShare = 0.001;

/// Executed instructions of \p BF's main fragment.
static uint64_t weight(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock *Block : BF.getLayout().getMainFragment())
    Sum += Block->getKnownExecutionCount() * Block->getNumNonPseudos();
  return Sum;
}

/// Bytes of \p BF's main fragment.
static uint64_t mainSize(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  uint64_t Size = 0;
  for (const BinaryBasicBlock *Block : BF.getLayout().getMainFragment())
    Size += BC.computeCodeSize(Block->begin(), Block->end());
  return Size;
}

Error CodeAlignment::runOnFunctions(BinaryContext &BC) {
  // What the user asked of alignment is BOLT's to do.
  if (isGiven("align-functions") || isGiven("align-functions-max-bytes") ||
      isGiven("use-compact-aligner") || isGiven("align-blocks") ||
      isGiven("preserve-blocks-alignment"))
    return AlignerPass().runOnFunctions(BC);

  double Total = 0;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    if (BF.hasValidProfile())
      Total += weight(BF);
  for (BinaryFunction *BF : BC.getOutputBinaryFunctions()) {
    BF->setMaxColdAlignmentBytes(0);
    BF->setAlignment(BF->getMinAlignment());
    BF->setMaxAlignmentBytes(0);
    // A function that is not simple has no counts of its blocks and could not
    // be instrumented; it is taken for hot.
    if (BF->isSimple() && (!BF->hasProfile() || !BF->hasValidIndex()))
      continue;
    const bool Hot = !BF->isSimple() || weight(*BF) >= HotShare * Total;
    BF->setAlignment(LineSize);
    BF->setMaxAlignmentBytes(Hot ? LineSize - 1
                                 : std::min(mainSize(*BF), MaxPadding));
  }
  return Error::success();
}
