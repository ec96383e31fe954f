//===- ProfileMatch/GotoEdges.cpp - Counts of computed gotos --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GotoEdges.h"
#include "Profile/GotoShares.h"
#include "Support/ComputedGoto.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

bool graupel::addsEdges(const BinaryBasicBlock &Block) {
  return Block.getIndex() && (Block.isEntryPoint() || Block.isLandingPad());
}

/// The sum of the counts of edges to \p Block that have counts.
static uint64_t countedInto(const BinaryBasicBlock &Block) {
  uint64_t Sum = 0;
  for (const BinaryBasicBlock *From : Block.predecessors())
    if (const uint64_t Count = From->getBranchInfo(Block).Count;
        !isComputedGoto(*From) && Count != BinaryBasicBlock::COUNT_NO_PROFILE)
      Sum = SaturatingAdd(Sum, Count);
  return Sum;
}

void graupel::shareOutGotos(BinaryFunction &BF) {
  std::vector<BinaryBasicBlock *> Jumps;
  for (BinaryBasicBlock &Block : BF)
    if (isComputedGoto(Block))
      Jumps.push_back(&Block);
  if (Jumps.empty())
    return;
  std::vector<uint64_t> Supply, Demand;
  for (const BinaryBasicBlock *Jump : Jumps)
    Supply.push_back(SaturatingAdd(Jump->getKnownExecutionCount(),
                                   addsEdges(*Jump) ? countedInto(*Jump) : 0));
  const std::vector<BinaryBasicBlock *> Labels(Jumps.front()->succ_begin(),
                                               Jumps.front()->succ_end());
  for (const BinaryBasicBlock *Label : Labels) {
    const uint64_t Count = Label->getKnownExecutionCount();
    Demand.push_back(addsEdges(*Label)
                         ? Count
                         : Count - std::min(Count, countedInto(*Label)));
  }
  const auto Shares = shareOut(Supply, Demand);
  for (auto [Jump, Row] : zip_equal(Jumps, Shares))
    for (auto [Branch, Count] : zip_equal(Jump->branch_info(), Row))
      Branch.Count = Count;
  for (auto [Index, Label] : enumerate(Labels))
    if (addsEdges(*Label)) {
      uint64_t Shared = 0;
      for (const auto &Row : Shares)
        Shared += Row[Index];
      Label->setExecutionCount(Demand[Index] - Shared);
    }
}
