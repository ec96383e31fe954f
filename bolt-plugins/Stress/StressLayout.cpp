//===- Stress/StressLayout.cpp - Layouts that nobody would choose ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests: -stress-layout=SEED orders the blocks of each function, splits
// functions and orders them by a hash of the seed, whatever the profile says. A
// program has to survive that.
//
// 1. draw() hashes the seed, the purpose, the function's address and an index.
//    The decisions depend on nothing but the seed and the places in the input,
//    so that a run can be repeated.
// 2. StressBlockOrder sorts all blocks but the entry by the numbers that draw()
//    gives.
// 3. StressSplit makes about half of the blocks that can move cold. The landing
//    pads stay in one fragment. Without relocations nothing is split.
// 4. StressFunctionOrder sorts the functions in the same way, if there are
//    relocations.
//
//===----------------------------------------------------------------------===//

#include "Support/ComputedGoto.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "graupel/LayoutPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<uint64_t>
    Seed("stress-layout",
         cl::desc("for tests: order blocks and functions and split functions "
                  "at random, by this seed (default: do not)"),
         cl::value_desc("seed"), cl::Hidden, cl::cat(opts::BoltOptCategory));

namespace {

enum class Purpose : uint64_t { BlockOrder, Split, FunctionOrder };

/// The same number for the same arguments, and no relation otherwise.
uint64_t draw(Purpose For, const BinaryFunction &BF, uint64_t Index = 0) {
  const uint64_t Words[] = {Seed, static_cast<uint64_t>(For), BF.getAddress(),
                            Index};
  return xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Words), sizeof(Words)));
}

class StressPass : public BinaryFunctionPass {
public:
  StressPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return !BF.empty() && BinaryFunctionPass::shouldOptimize(BF);
  }

protected:
  /// Calls \p Change for each function that may be changed.
  void forEachFunction(BinaryContext &BC,
                       function_ref<void(BinaryFunction &)> Change) {
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
        [&](BinaryFunction &BF) { Change(BF); },
        [&](const BinaryFunction &BF) { return !shouldOptimize(BF); },
        getName());
  }
};

class StressBlockOrder : public StressPass {
public:
  const char *getName() const override { return "stress-block-order"; }

  Error runOnFunctions(BinaryContext &BC) override {
    forEachFunction(BC, [](BinaryFunction &BF) {
      BinaryFunction::BasicBlockOrderType Order(BF.getLayout().block_begin(),
                                                BF.getLayout().block_end());
      // The entry stays first.
      llvm::sort(std::next(Order.begin()), Order.end(),
                 [&](const BinaryBasicBlock *A, const BinaryBasicBlock *B) {
                   return draw(Purpose::BlockOrder, BF, A->getIndex()) <
                          draw(Purpose::BlockOrder, BF, B->getIndex());
                 });
      BF.getLayout().update(Order);
    });
    return Error::success();
  }
};

class StressSplit : public StressPass {
public:
  const char *getName() const override { return "stress-split"; }

  Error runOnFunctions(BinaryContext &BC) override {
    // Without relocations there is no room for a second fragment.
    if (BC.HasRelocations)
      forEachFunction(BC, split);
    return Error::success();
  }

private:
  static void split(BinaryFunction &BF) {
    BinaryFunction::BasicBlockOrderType Order(BF.getLayout().block_begin(),
                                              BF.getLayout().block_end());
    // The landing pads of a fragment have to be in one fragment.
    const bool ColdPads = draw(Purpose::Split, BF) % 2;
    bool PadsCanMove = true;
    for (const BinaryBasicBlock *Block : Order)
      PadsCanMove &= !Block->isLandingPad() || canBeSplitOff(*Block);
    const FragmentNum Pads =
        ColdPads && PadsCanMove ? FragmentNum::cold() : FragmentNum::main();
    for (BinaryBasicBlock *Block : Order) {
      const bool Cold = canBeSplitOff(*Block) &&
                        draw(Purpose::Split, BF, Block->getIndex() + 1) % 2;
      Block->setFragmentNum(Block->isLandingPad() ? Pads
                            : Cold                ? FragmentNum::cold()
                                                  : FragmentNum::main());
    }
    llvm::stable_sort(Order, [](auto *A, auto *B) {
      return A->getFragmentNum() < B->getFragmentNum();
    });
    BF.getLayout().update(Order);
    if (BF.hasEHRanges())
      for (FunctionFragment &Fragment : BF.getLayout().fragments())
        BF.setLPFragment(Fragment.getFragmentNum(), Pads);
  }
};

class StressFunctionOrder : public StressPass {
public:
  const char *getName() const override { return "stress-function-order"; }

  Error runOnFunctions(BinaryContext &BC) override {
    if (!BC.HasRelocations)
      return Error::success();
    std::vector<BinaryFunction *> Order;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (BC.shouldEmit(BF) && BF.hasCFG())
        Order.push_back(&BF);
    llvm::sort(Order, [](const BinaryFunction *A, const BinaryFunction *B) {
      return draw(Purpose::FunctionOrder, *A) <
             draw(Purpose::FunctionOrder, *B);
    });
    for (const auto &[Index, BF] : llvm::enumerate(Order))
      BF->setIndex(Index);
    return Error::success();
  }
};

template <typename PassT>
void add(BoltPassRegistry &Registry, PassStage Stage, StringRef Name) {
  Registry.add(Stage, Name, []() -> std::unique_ptr<BinaryFunctionPass> {
    if (!Seed.getNumOccurrences() || opts::Instrument)
      return nullptr;
    return std::make_unique<PassT>();
  });
}

} // namespace

void graupel::registerStressPasses(BoltPassRegistry &Registry) {
  add<StressBlockOrder>(Registry, PassStage::BlockOrder, "stress-block-order");
  add<StressSplit>(Registry, PassStage::Split, "stress-split");
  add<StressFunctionOrder>(Registry, PassStage::FunctionOrder,
                           "stress-function-order");
}
