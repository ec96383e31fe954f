//===- Instrument/RecordingRows.cpp - Unwinding from counters -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Follow the rule for the frame's address through a fragment, in the order
//    of its code: call frame instructions are explicit by now.
// 2. Behind an inserted instruction that has moved the stack pointer, add by
//    how much to the offset, if the rule goes by the stack pointer.
//
//===----------------------------------------------------------------------===//

#include "RecordingRows.h"
#include "Support/FrameRule.h"
#include "X86Code.h"
#include "bolt/Core/FunctionLayout.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

void addRows(BinaryFunction &BF, const DepthNotes &Notes) {
  for (FunctionFragment &Fragment : BF.getLayout().fragments()) {
    // BOLT keeps what holds at the first instruction apart.
    FrameRule Rule;
    auto follow = [&](const MCCFIInstruction &I) {
      // The place of the return address says nothing of the frame's.
      if (I.getOperation() != MCCFIInstruction::OpRegister)
        Rule.apply(I);
    };
    for (const MCCFIInstruction &I : BF.cie())
      follow(I);
    for (BinaryBasicBlock *Block : Fragment)
      for (auto It = Block->begin(); It != Block->end(); ++It) {
        if (const MCCFIInstruction *I = BF.getCFIFor(*It)) {
          follow(*I);
          continue;
        }
        const auto Depth = Notes.depthBehind(*It);
        if (!Depth)
          continue;
        if (const auto Offset = Rule.fromStackPointer())
          It = BF.addCFIInstruction(
              Block, std::next(It),
              MCCFIInstruction::cfiDefCfaOffset(nullptr, *Offset + *Depth));
      }
  }
}

} // namespace

Error RecordingRows::runOnFunctions(BinaryContext &BC) {
  const DepthNotes Notes(BC);
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isSimple() && BF.hasCFG() && !BF.isIgnored() && BF.hasCFI())
      addRows(BF, Notes);
  return Error::success();
}
