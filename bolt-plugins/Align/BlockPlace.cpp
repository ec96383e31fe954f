//===- Align/BlockPlace.cpp - BOLT's blocks for the scorer ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockPlace.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// How often control runs from \p Previous into \p B behind it.
static uint64_t fallIn(const BinaryBasicBlock &Previous,
                       const BinaryBasicBlock &B) {
  if (!Previous.getSuccessor(B.getLabel()))
    return 0;
  const MCPlusBuilder &MIB = *B.getFunction()->getBinaryContext().MIB;
  const MCInst *Last = Previous.getLastNonPseudoInstr();
  if (Last && (MIB.isUnconditionalBranch(*Last) || MIB.isIndirectBranch(*Last)))
    return 0;
  const uint64_t Count = Previous.getBranchInfo(B).Count;
  return Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count;
}

PlacedBlock graupel::placeBlock(const BinaryBasicBlock &B, uint64_t Begin,
                                uint64_t End, const BinaryBasicBlock *Previous,
                                uint64_t PreviousEnd) {
  PlacedBlock P;
  P.Begin = Begin;
  P.End = End;
  P.Count = B.getKnownExecutionCount();
  P.FallIn = Previous ? std::min(P.Count, fallIn(*Previous, B)) : 0;
  P.PreviousEnd = Previous ? PreviousEnd : 0;
  return P;
}

uint8_t graupel::jumpSize(const BinaryBasicBlock &B, uint64_t Size) {
  const BinaryContext &BC = B.getFunction()->getBinaryContext();
  const auto Last = B.getLastNonPseudo();
  if (Last == B.rend() || !BC.MIB->isBranch(*Last))
    return 0;
  const uint64_t Before = BC.computeCodeSize(B.begin(), std::prev(Last.base()));
  if (Before > Size)
    return 0;
  uint64_t Jump = Size - Before;
  const auto Compare = std::next(Last);
  if (BC.MIB->isConditionalBranch(*Last) && Compare != B.rend() &&
      BC.MII->get(Compare->getOpcode()).isCompare())
    Jump += BC.computeCodeSize(std::prev(Compare.base()), Compare.base());
  return std::min<uint64_t>(Jump, DecodeWindow - 1);
}

bool graupel::isInInput(const BinaryBasicBlock &B) {
  return B.getInputOffset() <= B.getEndOffset() &&
         B.getEndOffset() <= B.getFunction()->getMaxSize();
}
