//===- Support/ComputedGoto.h - Which jumps are goto *label -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_COMPUTEDGOTO_H
#define GRAUPEL_SUPPORT_COMPUTEDGOTO_H

#include "BoltInternals.h"
#include "FrameRule.h"
#include "SplitTables.h"
#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Whether \p Block ends in a jump to any label of its function that data knows
/// (Recover/ComputedGotos.cpp). All such jumps have edges to the same blocks.
inline bool isComputedGoto(const llvm::bolt::BinaryBasicBlock &Block) {
  const llvm::bolt::BinaryFunction &BF = *Block.getFunction();
  const llvm::bolt::MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (!BF.hasUnknownControlFlow() || !Block.succ_size())
    return false;
  const llvm::MCInst *Last = Block.getLastNonPseudoInstr();
  return Last && MIB.isIndirectBranch(*Last) && !MIB.isTailCall(*Last) &&
         !BF.getJumpTable(*Last);
}

/// Whether a computed goto may lead to \p Block.
inline bool isGotoTarget(const llvm::bolt::BinaryBasicBlock &Block) {
  return Block.getFunction()->hasUnknownControlFlow() &&
         llvm::any_of(Block.predecessors(),
                      [](const auto *From) { return isComputedGoto(*From); });
}

/// Whether jumps may lead to parts of \p BF that are functions of their own
/// (.cold), since others know addresses in them.
inline bool hasKnownParts(const llvm::bolt::BinaryFunction &BF) {
  return llvm::any_of(BF.*member(internals::FragmentsTag()),
                      [](const llvm::bolt::BinaryFunction *Part) {
                        return Part->isMultiEntry() ||
                               !Part->getInternalRefDataRelocations().empty();
                      });
}

/// Whether the stack at the end of \p Block may be as a caller leaves it: only
/// then another function can be jumped to.
inline bool mayHaveNoFrame(const llvm::bolt::BinaryBasicBlock &Block) {
  const llvm::bolt::BinaryFunction &BF = *Block.getFunction();
  FrameRule Frame;
  for (const llvm::MCCFIInstruction &Rule : BF.cie())
    Frame.apply(Rule);
  const auto &Rules = BF.getFDEProgram();
  const int32_t State = Block.getCFIStateAtExit();
  for (int32_t I = 0; I < State && I < int32_t(Rules.size()); ++I)
    Frame.apply(Rules[I]);
  const std::optional<int64_t> Distance = Frame.fromStackPointer();
  constexpr int64_t AtEntry = 8;
  return !Frame.address() || (Distance && *Distance == AtEntry);
}

/// Whether a computed goto at the end of \p Block may lead to such a part, or to
/// another function: a jump without a frame may be a call.
inline bool mayLeaveByGoto(const llvm::bolt::BinaryBasicBlock &Block) {
  return isComputedGoto(Block) &&
         (hasKnownParts(*Block.getFunction()) || mayHaveNoFrame(Block));
}

/// Whether \p Block may be in another part than the first block of its function.
/// The callers of an entry expect it beside the others; a label is found by its
/// address.
inline bool canBeSplitOff(const llvm::bolt::BinaryBasicBlock &Block) {
  return Block.canOutline() &&
         Block.getFunction()->getLayout().block_front() != &Block &&
         (!Block.isEntryPoint() || isGotoTarget(Block));
}

/// Whether control may go where no edge of \p BF tells. Whether others come to
/// a label is another question.
inline bool hasUnknownEdges(const llvm::bolt::BinaryFunction &BF) {
  const llvm::bolt::MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  return BF.hasUnknownControlFlow() &&
         llvm::any_of(BF, [&](const llvm::bolt::BinaryBasicBlock &Block) {
           const llvm::MCInst *Last = Block.getLastNonPseudoInstr();
           return Last && MIB.isIndirectBranch(*Last) &&
                  !MIB.isTailCall(*Last) &&
                  (Block.succ_empty() || mayLeaveByTable(Block) ||
                   mayLeaveByGoto(Block));
         });
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_COMPUTEDGOTO_H
