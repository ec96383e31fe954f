//===- Driver/CodeAlignment.cpp - Alignment where it pays -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeAlignment.h"
#include "BoltOptions.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Passes/Aligner.h"
#include "bolt/Utils/CommandLineOpts.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<double> HotShare("hot-share", cl::init(0.001), cl::Hidden);
static cl::opt<unsigned> WarmAlign("warm-align", cl::init(16), cl::Hidden);
static cl::opt<unsigned> WarmAlignMax("warm-align-max", cl::init(15), cl::Hidden);

/// Executed instructions of \p BF's main fragment.
static uint64_t weight(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock *Block : BF.getLayout().getMainFragment())
    Sum += Block->getKnownExecutionCount() * Block->getNumNonPseudos();
  return Sum;
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
    if (!BF->hasProfile() || !BF->hasValidIndex())
      continue;
    // Without counts of its blocks, a function that ran is taken for hot.
    if (!BF->hasValidProfile() || weight(*BF) >= HotShare * Total) {
      BF->setAlignment(64);
      BF->setMaxAlignmentBytes(63);
    } else {
      BF->setAlignment(WarmAlign);
      BF->setMaxAlignmentBytes(WarmAlignMax);
    }
  }
  return Error::success();
}
