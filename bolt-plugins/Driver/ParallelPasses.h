//===- Driver/ParallelPasses.h - Passes on several functions ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of BOLT's passes that change nothing but one function go from one to the
// next, or make what each function needs anew. These do the same to several
// functions at once. They are for -instrument, which changes all functions of a
// program and does little else.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PARALLELPASSES_H
#define GRAUPEL_DRIVER_PARALLELPASSES_H

#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Passes/BinaryPasses.h"
#include "llvm/ADT/DenseSet.h"
#include <atomic>
#include <mutex>

namespace graupel {

/// EliminateUnreachableBlocks, which makes an assembler for each function to
/// know the size of what it removes. Most have nothing to remove.
class RemoveUnreachable : public llvm::bolt::BinaryFunctionPass {
public:
  explicit RemoveUnreachable(const llvm::cl::opt<bool> &PrintPass)
      : BinaryFunctionPass(PrintPass) {}

  const char *getName() const override { return "eliminate-unreachable"; }

  bool shouldPrint(const llvm::bolt::BinaryFunction &BF) const override {
    return BinaryFunctionPass::shouldPrint(BF) && Changed.contains(&BF);
  }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    using namespace llvm::bolt;
    std::atomic<uint64_t> Blocks = 0, Bytes = 0;
    std::mutex Lock;
    auto remove = [&](BinaryFunction &BF) {
      BF.markUnreachableBlocks();
      if (llvm::all_of(BF, [](const auto &Block) { return Block.isValid(); }))
        return;
      const auto Assembler = BC.createIndependentMCCodeEmitter();
      const auto [N, Size] = BF.eraseInvalidBBs(Assembler.MCE.get());
      Blocks += N;
      Bytes += Size;
      std::lock_guard Locked(Lock);
      Changed.insert(&BF);
    };
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL, remove,
        [&](const BinaryFunction &BF) {
          return !shouldOptimize(BF) || BF.getLayout().block_empty();
        },
        getName());
    if (Blocks)
      BC.outs() << "BOLT-INFO: UCE removed " << Blocks << " blocks and "
                << Bytes << " bytes of code\n";
    return llvm::Error::success();
  }

private:
  llvm::DenseSet<const llvm::bolt::BinaryFunction *> Changed;
};

class FixBranches : public llvm::bolt::FixupBranches {
public:
  using FixupBranches::FixupBranches;

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    using namespace llvm::bolt;
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL,
        [](BinaryFunction &BF) { BF.fixBranches(); },
        [&](const BinaryFunction &BF) {
          return !BC.shouldEmit(BF) || !BF.isSimple();
        },
        getName());
    return llvm::Error::success();
  }
};

class LowerInstructions : public llvm::bolt::InstructionLowering {
public:
  using InstructionLowering::InstructionLowering;

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    using namespace llvm::bolt;
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL,
        [&](BinaryFunction &BF) {
          for (BinaryBasicBlock &Block : BF)
            for (llvm::MCInst &Inst : Block)
              BC.MIB->lowerTailCall(Inst);
        },
        nullptr, getName());
    return llvm::Error::success();
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_PARALLELPASSES_H
