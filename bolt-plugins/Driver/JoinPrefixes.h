//===- Driver/JoinPrefixes.h - Prefixes that are jumped over ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for one thread and for several jumps over a prefix:
//
//       je 1f
//       lock
//    1: cmpxchg %rdx, (%rdi)
//
// BOLT takes the prefix for an instruction, and the other for the beginning of
// a block, which a layout may put elsewhere. Then there is a prefix without its
// instruction. So before anything moves:
//
// 1. Find blocks that end with a prefix and go on to a block.
// 2. Give them a copy of that block's first instruction.
// 3. Go on behind it, where the block is split.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_JOINPREFIXES_H
#define GRAUPEL_DRIVER_JOINPREFIXES_H

#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Passes/BinaryPasses.h"
#include "llvm/ADT/STLExtras.h"

namespace graupel {

class JoinPrefixes : public llvm::bolt::BinaryFunctionPass {
public:
  JoinPrefixes() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "join-prefixes"; }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF))
        join(BF);
    return llvm::Error::success();
  }

private:
  using BinaryBasicBlock = llvm::bolt::BinaryBasicBlock;
  using BinaryFunction = llvm::bolt::BinaryFunction;

  static bool endsWithPrefix(BinaryBasicBlock &Block) {
    const llvm::MCInst *Last = Block.getLastNonPseudoInstr();
    return Last && Block.succ_size() == 1 &&
           Block.getFunction()->getBinaryContext().MIB->isPrefix(*Last);
  }

  static void join(BinaryFunction &BF) {
    // Step 1.
    std::vector<BinaryBasicBlock *> Found;
    for (BinaryBasicBlock &Block : BF)
      if (endsWithPrefix(Block))
        Found.push_back(&Block);
    for (BinaryBasicBlock *Block : Found)
      join(*Block, **Block->succ_begin());
  }

  static void join(BinaryBasicBlock &Block, BinaryBasicBlock &Next) {
    BinaryFunction &BF = *Block.getFunction();
    const llvm::bolt::MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
    if (Next.size() < 2 || &Block == &Next || Next.lp_size() ||
        MIB.isPseudo(Next.front()))
      return;
    // Step 2.
    Block.addInstruction(Next.front());
    // Step 3.
    BinaryBasicBlock *Behind = Next.splitAt(std::next(Next.begin()));
    Behind->setExecutionCount(Next.getExecutionCount());
    Block.replaceSuccessor(&Next, Behind, Block.getKnownExecutionCount());
    // It is the last of the layout.
    BinaryFunction::BasicBlockOrderType Order(BF.getLayout().block_begin(),
                                              BF.getLayout().block_end());
    llvm::erase(Order, Behind);
    Order.insert(std::next(llvm::find(Order, &Next)), Behind);
    BF.getLayout().update(Order);
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_JOINPREFIXES_H
