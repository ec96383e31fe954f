//===- HotCold/StackDepth.cpp - Stack depths at blocks --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackDepth.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static bool fallsBehindCall(const BinaryBasicBlock &Block,
                            const MCPlusBuilder &MIB) {
  const MCInst *Last =
      const_cast<BinaryBasicBlock &>(Block).getLastNonPseudoInstr();
  return Last && MIB.isCall(*Last) && !MIB.isTailCall(*Last);
}

StackDepth::StackDepth(const BinaryFunction &BF, const StackModel &Stack)
    : Depths(BF.size()) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  Depths[BF.front().getIndex()] = 0;
  std::vector<bool> Conflicting(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist{&BF.front()}, BehindCalls;
  auto reach = [&](const BinaryBasicBlock &To, std::optional<int64_t> Depth,
                   bool IsDoubtful) {
    const unsigned Index = To.getIndex();
    if (Conflicting[Index] || (Depths[Index] && Depths[Index] == Depth) ||
        (Depths[Index] && IsDoubtful))
      return;
    Conflicting[Index] = !Depth || Depths[Index];
    if (Conflicting[Index])
      Depth.reset();
    Depths[Index] = Depth;
    Worklist.push_back(&To);
  };
  while (!Worklist.empty() || !BehindCalls.empty()) {
    // Calls last: depths on other paths are certain.
    const bool IsBehindCall = Worklist.empty();
    std::vector<const BinaryBasicBlock *> &Next =
        IsBehindCall ? BehindCalls : Worklist;
    const BinaryBasicBlock &Block = *Next.back();
    Next.pop_back();
    if (!IsBehindCall && fallsBehindCall(Block, MIB)) {
      BehindCalls.push_back(&Block);
      continue;
    }
    std::optional<int64_t> Depth = Depths[Block.getIndex()];
    for (const MCInst &Inst : Block) {
      const StackEffect E = Stack.effect(Inst);
      if (MIB.isInvoke(Inst))
        for (const BinaryBasicBlock *Pad : Block.landing_pads())
          reach(*Pad, Depth, /*IsDoubtful=*/false);
      if (E.Operation == StackEffect::Kind::Unknown)
        Depth.reset();
      else if (Depth)
        *Depth += E.Growth;
    }
    for (const BinaryBasicBlock *Successor : Block.successors())
      reach(*Successor, Depth, IsBehindCall);
  }
}
