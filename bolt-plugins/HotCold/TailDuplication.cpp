//===- HotCold/TailDuplication.cpp - Ends of their own --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TailDuplication.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

// A copy takes less than a line of the cache.
constexpr unsigned MaxInstructions = 14;
// Of one block.
constexpr unsigned MaxCopies = 48;

bool isTail(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  if (Block.isEntryPoint() || Block.isLandingPad() || Block.lp_size() ||
      Block.getNumNonPseudos() > MaxInstructions)
    return false;
  const MCInst *Last =
      const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
  if (!Last)
    return false;
  if (Block.succ_empty())
    return MIB.isReturn(*Last) || MIB.isTailCall(*Last);
  return endsWithSwitch(Block) &&
         Block.getFunction()->getJumpTable(*Last) != nullptr;
}

/// Blocks from which nothing but \p Tail can come, the most frequent first.
std::vector<BinaryBasicBlock *> waysTo(BinaryBasicBlock &Tail,
                                       uint64_t MinCount) {
  const MCPlusBuilder &MIB = *Tail.getFunction()->getBinaryContext().MIB;
  std::vector<BinaryBasicBlock *> Result;
  for (BinaryBasicBlock *From : Tail.predecessors()) {
    const MCInst *Last = From->getLastNonPseudoInstr();
    if (From->succ_size() == 1 && From != &Tail &&
        From->getKnownExecutionCount() >= MinCount &&
        !(Last && (MIB.isIndirectBranch(*Last) ||
                   MIB.isConditionalBranch(*Last))))
      Result.push_back(From);
  }
  stable_sort(Result, [](const auto *A, const auto *B) {
    return A->getKnownExecutionCount() > B->getKnownExecutionCount();
  });
  return Result;
}

/// Appends what \p Tail does to \p From.
void copyInto(BinaryBasicBlock &From, BinaryBasicBlock &Tail) {
  BinaryFunction &BF = *Tail.getFunction();
  MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  const uint64_t Count = From.getKnownExecutionCount();
  const uint64_t Before = Tail.getKnownExecutionCount();
  const double Share = Before ? std::min(1.0, double(Count) / Before) : 0;

  std::unique_ptr<BinaryBasicBlock> Copy = BF.createBasicBlock();
  Copy->setOffset(Tail.getInputOffset());
  Copy->setExecutionCount(Count);
  Copy->setCFIState(Tail.getCFIState());
  for (const MCInst &Inst : Tail) {
    if (!MIB.isPseudo(Inst)) {
      Copy->addInstruction(Inst);
      continue;
    }
    MCInst Pseudo = Inst;
    Copy->insertPseudoInstr(Copy->end(), Pseudo);
  }
  Tail.setExecutionCount(Before - std::min(Before, Count));
  auto Info = Tail.branch_info_begin();
  for (BinaryBasicBlock *To : Tail.successors()) {
    const uint64_t Old = Info->Count == BinaryBasicBlock::COUNT_NO_PROFILE
                             ? 0
                             : Info->Count;
    const auto Moved = static_cast<uint64_t>(Old * Share);
    Copy->addSuccessor(To, Moved);
    Info->Count = Old - Moved;
    ++Info;
  }
  MCInst *Last = From.getLastNonPseudoInstr();
  if (Last && MIB.isUnconditionalBranch(*Last))
    MIB.replaceBranchTarget(*Last, Copy->getLabel(),
                            BF.getBinaryContext().Ctx.get());
  From.replaceSuccessor(&Tail, Copy.get(), Count);
  std::vector<std::unique_ptr<BinaryBasicBlock>> New;
  New.push_back(std::move(Copy));
  BF.insertBasicBlocks(&From, std::move(New), /*UpdateLayout=*/true,
                       /*UpdateCFIState=*/false,
                       /*RecomputeLandingPads=*/false);
}

} // namespace

TailDuplicationResult graupel::duplicateTails(BinaryFunction &BF,
                                              uint64_t MinCount) {
  TailDuplicationResult Result;
  std::vector<BinaryBasicBlock *> Tails;
  for (BinaryBasicBlock &Block : BF)
    if (isTail(Block))
      Tails.push_back(&Block);
  for (BinaryBasicBlock *Tail : Tails) {
    std::vector<BinaryBasicBlock *> Ways = waysTo(*Tail, MinCount);
    if (Ways.size() > MaxCopies + 1)
      Ways.resize(MaxCopies + 1);
    for (BinaryBasicBlock *From : drop_begin(Ways, Ways.empty() ? 0 : 1)) {
      Result.Saved += From->getKnownExecutionCount();
      ++Result.NumCopies;
      copyInto(*From, *Tail);
    }
  }
  return Result;
}
