//===- HotCold/HotBlocks.cpp - Which blocks a hot version gets ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HotBlocks.h"
#include "BlockEditing.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// As a fraction of the procedure's executions.
static constexpr double EntryShares[] = {0.5, 0.2, 0.05};

std::vector<FlowBlock> graupel::describeFlow(const BinaryFunction &BF) {
  std::vector<FlowBlock> Flow(BF.size());
  for (const BinaryBasicBlock &Block : BF) {
    FlowBlock &B = Flow[Block.getIndex()];
    auto Info = Block.branch_info_begin();
    for (const BinaryBasicBlock *To : Block.successors()) {
      B.Successors.push_back(To->getIndex());
      B.Counts.push_back(knownCount((Info++)->Count));
    }
  }
  Flow[BF.front().getIndex()].Entries =
      std::max<uint64_t>(1, BF.front().getKnownExecutionCount());
  return Flow;
}

BitVector graupel::reachableHotBlocks(
    const BinaryFunction &BF,
    function_ref<bool(const BinaryBasicBlock &)> IsHot) {
  BitVector Hot(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist{&BF.front()};
  Hot.set(BF.front().getIndex());
  while (!Worklist.empty()) {
    const BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    for (const BinaryBasicBlock *To : Block.successors())
      if (!Hot.test(To->getIndex()) && IsHot(*To)) {
        Hot.set(To->getIndex());
        Worklist.push_back(To);
      }
  }
  return Hot;
}

static bool callsSomebody(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  return any_of(Block, [&](const MCInst &Inst) {
    return MIB.isCall(Inst) && !MIB.isTailCall(Inst);
  });
}

/// Blocks that \p May contain from which such blocks lead out of the function.
static BitVector leadOut(const BinaryFunction &BF, BitVector May) {
  BitVector Result(BF.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BinaryBasicBlock &Block : reverse(BF)) {
      const unsigned I = Block.getIndex();
      if (!May.test(I) || Result.test(I))
        continue;
      if (Block.succ_empty() ||
          any_of(Block.successors(), [&](const BinaryBasicBlock *To) {
            return Result.test(To->getIndex());
          })) {
        Result.set(I);
        Changed = true;
      }
    }
  }
  return Result;
}

/// Blocks that lead back to themselves.
static BitVector findLooping(const BinaryFunction &BF) {
  BitVector Result(BF.size());
  for (auto I = scc_begin(&BF); !I.isAtEnd(); ++I)
    if (I.hasCycle())
      for (const BinaryBasicBlock *Block : *I)
        Result.set(Block->getIndex());
  return Result;
}

std::vector<BitVector> graupel::candidateHotBlocks(const BinaryFunction &BF,
                                                   uint64_t Threshold,
                                                   const BitVector &Excluded) {
  std::vector<BitVector> Result;
  auto add = [&](const BitVector &May) {
    if (!May.test(BF.front().getIndex()))
      return;
    BitVector Hot = reachableHotBlocks(BF, [&](const BinaryBasicBlock &Block) {
      return May.test(Block.getIndex());
    });
    if (!is_contained(Result, Hot))
      Result.push_back(std::move(Hot));
  };
  BitVector Calling(BF.size());
  for (const BinaryBasicBlock &Block : BF)
    if (callsSomebody(Block))
      Calling.set(Block.getIndex());
  const BitVector Looping = findLooping(BF);
  const auto Entries = double(BF.front().getKnownExecutionCount());
  SmallVector<uint64_t, 6> Limits{Threshold, Threshold / 10, 0};
  for (const double Share : EntryShares)
    Limits.push_back(static_cast<uint64_t>(Share * Entries));
  for (const uint64_t Limit : Limits) {
    BitVector Frequent(BF.size());
    for (const BinaryBasicBlock &Block : BF)
      if (Block.getKnownExecutionCount() > Limit &&
          !Excluded.test(Block.getIndex()))
        Frequent.set(Block.getIndex());
    BitVector Quiet = Frequent, Straight = Frequent;
    Quiet.reset(Calling);
    Straight.reset(Looping);
    add(Frequent);
    add(leadOut(BF, Quiet));
    add(leadOut(BF, Straight));
    Quiet.reset(Looping);
    add(leadOut(BF, Quiet));
  }
  return Result;
}
