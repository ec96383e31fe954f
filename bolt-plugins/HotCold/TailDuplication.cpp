//===- HotCold/TailDuplication.cpp - Ends of their own --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives frequent paths copies of the blocks with which they end.
//
// 1. findTail() begins at each block that is executed MinCount times. It
//    follows the usual successor to a return, a tail call or a jump through a
//    table. It gives up at more than MaxInstructions, at entries and landing
//    pads, at blocks with handlers, and at calls that may not be copied.
// 2. waysTo() lists the blocks that only lead to the tail, the most frequent
//    first. The first one needs no copy: it can be placed in front of the tail.
// 3. Each of the others, MaxCopies at most, gets a copy while the jumps that it
//    saves are worth the bytes and MayGrow agrees.
// 4. copyFor() copies the tail behind the block and leads the block there. The
//    block's share of the counts goes to the copy.
//
//===----------------------------------------------------------------------===//

#include "TailDuplication.h"
#include "BlockEditing.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

// A copy takes less than a line of the cache.
constexpr unsigned MaxInstructions = 14;
// Copies of one block.
constexpr unsigned MaxCopies = 48;

// As a fraction of a block's executions: a tail ends where more go elsewhere.
constexpr double MinShare = 0.9;

bool endsHere(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const MCInst *Last =
      const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
  if (!Last)
    return false;
  if (Block.succ_empty())
    return MIB.isReturn(*Last) || MIB.isTailCall(*Last);
  return endsWithSwitch(Block) &&
         Block.getFunction()->getJumpTable(*Last) != nullptr;
}

/// The usual successor of \p Block, by a conditional branch or without one.
BinaryBasicBlock *usualSuccessor(const BinaryBasicBlock &Block) {
  uint64_t Sum = 0;
  for (const auto &Info : Block.branch_info())
    Sum += knownCount(Info.Count);
  auto Info = Block.branch_info_begin();
  for (BinaryBasicBlock *To : Block.successors())
    if (knownCount((Info++)->Count) >= MinShare * Sum && Sum)
      return To;
  return nullptr;
}

/// Blocks that are usually executed one after the other from \p First on until
/// something ends that needs no jump to go on. Empty if there is no such end.
std::vector<BinaryBasicBlock *>
findTail(BinaryBasicBlock &First, function_ref<bool(const MCInst &)> MayCopy) {
  const MCPlusBuilder &MIB = *First.getFunction()->getBinaryContext().MIB;
  std::vector<BinaryBasicBlock *> Tail;
  unsigned NumInstructions = 0;
  for (BinaryBasicBlock *Block = &First; Block;
       Block = Block->succ_size() <= 2 ? usualSuccessor(*Block) : nullptr) {
    NumInstructions += Block->getNumNonPseudos();
    if (NumInstructions > MaxInstructions || is_contained(Tail, Block) ||
        Block->isEntryPoint() || Block->isLandingPad() || Block->lp_size() ||
        any_of(*Block, [&](const MCInst &Inst) {
          return MIB.isCall(Inst) && !MayCopy(Inst);
        }))
      return {};
    Tail.push_back(Block);
    if (endsHere(*Block))
      return Tail;
  }
  return {};
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
        !(Last &&
          (MIB.isIndirectBranch(*Last) || MIB.isConditionalBranch(*Last))))
      Result.push_back(From);
  }
  stable_sort(Result, [](const auto *A, const auto *B) {
    return A->getKnownExecutionCount() > B->getKnownExecutionCount();
  });
  return Result;
}

/// Gives \p From a copy of \p Tail to go on with.
void copyFor(BinaryBasicBlock &From, ArrayRef<BinaryBasicBlock *> Tail) {
  BinaryFunction &BF = *From.getFunction();
  std::vector<std::unique_ptr<BinaryBasicBlock>> Copies;
  for (const BinaryBasicBlock *Block : Tail) {
    Copies.push_back(BF.createBasicBlock());
    Copies.back()->setOffset(Block->getInputOffset());
    Copies.back()->setCFIState(Block->getCFIState());
  }
  double Count = From.getKnownExecutionCount();
  for (unsigned I = 0; I < Tail.size(); ++I) {
    BinaryBasicBlock &Copy = *Copies[I];
    for (const MCInst &Inst : *Tail[I])
      appendCopy(Copy, Inst);
    const uint64_t Before = Tail[I]->getKnownExecutionCount();
    const double Share = Before ? std::min(1.0, Count / Before) : 0;
    Copy.setExecutionCount(static_cast<uint64_t>(Count));
    Tail[I]->setExecutionCount(static_cast<uint64_t>(Before * (1 - Share)));
    auto Info = Tail[I]->branch_info_begin();
    for (BinaryBasicBlock *To : Tail[I]->successors()) {
      const bool GoesOn = I + 1 < Tail.size() && To == Tail[I + 1];
      const uint64_t Old = knownCount(Info->Count);
      const auto Moved = static_cast<uint64_t>(Old * Share);
      Copy.addSuccessor(GoesOn ? Copies[I + 1].get() : To, Moved);
      Info->Count = Old - Moved;
      ++Info;
      if (!GoesOn)
        continue;
      retargetBranches(Copy, *To->getLabel(), *Copies[I + 1]->getLabel());
      Count = Moved;
    }
  }
  retargetBranches(From, *Tail.front()->getLabel(),
                   *Copies.front()->getLabel());
  From.replaceSuccessor(Tail.front(), Copies.front().get(),
                        From.getKnownExecutionCount());
  BF.insertBasicBlocks(&From, std::move(Copies), /*UpdateLayout=*/true,
                       /*UpdateCFIState=*/false,
                       /*RecomputeLandingPads=*/false);
}

uint64_t sizeOf(ArrayRef<BinaryBasicBlock *> Blocks) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock *Block : Blocks)
    Sum += Block->getFunction()->getBinaryContext().computeCodeSize(
        Block->begin(), Block->end());
  return Sum;
}

} // namespace

double graupel::duplicateTails(BinaryFunction &BF, uint64_t MinCount,
                               double MinDensity,
                               function_ref<bool(const MCInst &)> MayCopy,
                               function_ref<bool(uint64_t)> MayGrow) {
  double Saved = 0;
  std::vector<std::vector<BinaryBasicBlock *>> Tails;
  for (BinaryBasicBlock &Block : BF)
    if (Block.getKnownExecutionCount() >= MinCount)
      if (auto Tail = findTail(Block, MayCopy); !Tail.empty())
        Tails.push_back(std::move(Tail));
  for (const std::vector<BinaryBasicBlock *> &Tail : Tails) {
    std::vector<BinaryBasicBlock *> Ways = waysTo(*Tail.front(), MinCount);
    if (Ways.size() > MaxCopies + 1)
      Ways.resize(MaxCopies + 1);
    const uint64_t Size = sizeOf(Tail);
    // One of them needs no jump.
    for (BinaryBasicBlock *From : drop_begin(Ways, Ways.empty() ? 0 : 1)) {
      if (From->getKnownExecutionCount() < MinDensity * Size)
        break;
      if (!MayGrow(Size))
        return Saved;
      Saved += From->getKnownExecutionCount();
      copyFor(*From, Tail);
    }
  }
  return Saved;
}
