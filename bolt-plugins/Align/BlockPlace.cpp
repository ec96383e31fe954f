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

/// The number of times control falls through from \p Previous to \p B.
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

/// Bytes of \p Jump at \p Address in \p B, which are more than BOLT says where
/// its target is far away.
static uint64_t emittedSize(const BinaryBasicBlock &B, const MCInst &Jump,
                            uint64_t Address, const MCCodeEmitter &Emitter) {
  const BinaryContext &BC = B.getFunction()->getBinaryContext();
  constexpr uint64_t Short = 2;
  const uint64_t Size = BC.computeInstructionSize(Jump, &Emitter);
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Jump);
  if (Size != Short || !Target)
    return Size;
  const BinaryBasicBlock *To = B.getSuccessor(Target);
  if (To && To->getFragmentNum() == B.getFragmentNum() &&
      isInt<8>(int64_t(To->getOutputAddressRange().first - Address - Short)))
    return Short;
  return BC.MIB->isConditionalBranch(Jump) ? 6 : 5;
}

uint64_t graupel::codeEnd(const BinaryBasicBlock &B,
                          const BinaryBasicBlock *Next,
                          const MCCodeEmitter &Emitter) {
  const auto [Begin, End] = B.getOutputAddressRange();
  if (!Next || Next->getAlignment() == 1 || End % Next->getAlignment())
    return End;
  const BinaryContext &BC = B.getFunction()->getBinaryContext();
  uint64_t Address = Begin;
  for (const MCInst &I : B)
    Address += BC.MIB->isBranch(I) ? emittedSize(B, I, Address, Emitter)
                                   : BC.computeInstructionSize(I, &Emitter);
  // A jump that padding brought near stays long.
  return End - Address <= Next->getAlignmentMaxBytes() ? Address : End;
}

uint8_t graupel::jumpSize(const BinaryBasicBlock &B, uint64_t Size,
                          const MCCodeEmitter &Emitter) {
  const BinaryContext &BC = B.getFunction()->getBinaryContext();
  const auto Last = B.getLastNonPseudo();
  if (Last == B.rend() || !BC.MIB->isBranch(*Last))
    return 0;
  const uint64_t Before =
      BC.computeCodeSize(B.begin(), std::prev(Last.base()), &Emitter);
  if (Before > Size)
    return 0;
  uint64_t Jump = Size - Before;
  const auto Compare = std::next(Last);
  if (BC.MIB->isConditionalBranch(*Last) && Compare != B.rend() &&
      BC.MII->get(Compare->getOpcode()).isCompare())
    Jump +=
        BC.computeCodeSize(std::prev(Compare.base()), Compare.base(), &Emitter);
  return std::min<uint64_t>(Jump, DecodeWindow - 1);
}

bool graupel::isInInput(const BinaryBasicBlock &B) {
  return B.getInputOffset() <= B.getEndOffset() &&
         B.getEndOffset() <= B.getFunction()->getMaxSize();
}
