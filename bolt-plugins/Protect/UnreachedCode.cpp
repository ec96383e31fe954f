//===- Protect/UnreachedCode.cpp - Code that nothing seems to reach -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly computes where it goes on: the address of a function plus so many
// times the size of a piece of code. BOLT sees that the address of a function
// is taken, as for any pointer, and removes the pieces as unreachable.
//
// 1. Start at the entries of the function.
// 2. Follow branches, jump tables and exceptions.
// 3. The rest is padding, traps that compilers put where control does not come,
//    jumps over what was removed before, or code that somebody reaches in a way
//    that cannot be seen.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

using Blocks = SmallPtrSet<const BinaryBasicBlock *, 32>;

static Blocks reachedBlocks(const BinaryFunction &BF) {
  Blocks Reached;
  SmallVector<const BinaryBasicBlock *, 32> Worklist;
  auto reach = [&](const BinaryBasicBlock *Block) {
    if (Reached.insert(Block).second)
      Worklist.push_back(Block);
  };
  for (const BinaryBasicBlock &Block : BF)
    if (Block.isEntryPoint())
      reach(&Block);
  while (!Worklist.empty()) {
    const BinaryBasicBlock *Block = Worklist.pop_back_val();
    for_each(Block->successors(), reach);
    for_each(Block->landing_pads(), reach);
  }
  return Reached;
}

/// \p Inst computes something. BOLT adds returns where control seems to run
/// past the end.
static bool isCode(const BinaryContext &BC, const MCInst &Inst) {
  if (BC.MIB->isPseudo(Inst) || BC.MIB->isCFI(Inst) || BC.MIB->isNoop(Inst) ||
      BC.MIB->isUnconditionalBranch(Inst) || BC.MIB->isReturn(Inst))
    return false;
  return StringSwitch<bool>(BC.MII->getName(Inst.getOpcode()))
      .Cases({"TRAP", "HLT", "INT3"}, false)
      .StartsWith("UD1", false)
      .Default(true);
}

bool graupel::hasUnreachedCode(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  const Blocks Reached = reachedBlocks(BF);
  return Reached.size() != BF.size() &&
         any_of(BF, [&](const BinaryBasicBlock &Block) {
           return !Reached.contains(&Block) &&
                  any_of(Block,
                         [&](const MCInst &Inst) { return isCode(BC, Inst); });
         });
}
