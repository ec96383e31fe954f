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

static cl::opt<unsigned> HotAlign("hot-align", cl::init(64), cl::Hidden);
static cl::opt<unsigned> HotAlignMax("hot-align-max", cl::init(32), cl::Hidden);

Error CodeAlignment::runOnFunctions(BinaryContext &BC) {
  // What the user asked of alignment is BOLT's to do.
  if (isGiven("align-functions") || isGiven("align-functions-max-bytes") ||
      isGiven("use-compact-aligner") || isGiven("align-blocks") ||
      isGiven("preserve-blocks-alignment"))
    return AlignerPass().runOnFunctions(BC);

  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
      [&](BinaryFunction &BF) {
        BinaryContext::IndependentCodeEmitter Emitter =
            BC.createIndependentMCCodeEmitter();
        const bool Hot = BF.hasValidProfile() && BF.hasValidIndex();
        uint64_t Size = 0;
        if (Hot)
          for (const BinaryBasicBlock *BB :
               BF.getLayout().getMainFragment())
            Size += BC.computeCodeSize(BB->begin(), BB->end(),
                                       Emitter.MCE.get());
        BF.setMaxColdAlignmentBytes(0);
        if (!Hot) {
          BF.setAlignment(BF.getMinAlignment());
          BF.setMaxAlignmentBytes(0);
          return;
        }
        BF.setAlignment(HotAlign);
        BF.setMaxAlignmentBytes(std::min<uint64_t>(Size, HotAlignMax));
      },
      [&](const BinaryFunction &BF) { return !BC.shouldEmit(BF); },
      "graupel-align");
  return Error::success();
}
