//===- Split/SplitPass.cpp - Moves cold blocks out of the way -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the program-wide count at or below which a block is cold.
// 2. In each function that has blocks of both kinds, give the cold ones to the
//    cold fragment. The entry stays, and landing pads stay together, since the
//    exception tables of a fragment can name landing pads of one fragment only.
//    A function that was entered but not counted stays whole.
// 3. Take the split back where it does not make the hot fragment smaller.
//
//===----------------------------------------------------------------------===//

#include "HotThreshold.h"
#include "Options/LayoutPlan.h"
#include "SplitOutcome.h"
#include "Support/ComputedGoto.h"
#include "bolt/Core/ParallelUtilities.h"
#include "graupel/LayoutPasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

using Outcome = SplitOutcome;

class SplitPass : public BinaryFunctionPass {
public:
  SplitPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-split"; }

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return BF.hasValidProfile() && !BF.empty() &&
           BinaryFunctionPass::shouldOptimize(BF);
  }

  Error runOnFunctions(BinaryContext &BC) override {
    const LayoutPlan &Plan = layoutPlan();
    CountDistribution Distribution;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF))
        for (const BinaryBasicBlock &Block : BF)
          Distribution.add(Block.getKnownExecutionCount(),
                           Block.getNumNonPseudos());
    Threshold = Distribution.coldThreshold(Plan.ColdShare);
    BC.outs() << "GRAUPEL-INFO: splitting at ";
    Distribution.print(BC.outs(), Threshold);

    std::atomic<uint64_t> Tally[4] = {};
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
        [&](BinaryFunction &BF) {
          const Outcome O = splitFunction(BC, BF);
          ++Tally[static_cast<int>(O)];
          if (Plan.PrintSplit)
            BC.outs() << BF.getPrintName() << ": " << explain(O) << '\n';
        },
        [&](const BinaryFunction &BF) { return !shouldOptimize(BF); },
        "graupel-split", /*ForceSequential=*/Plan.PrintSplit);
    BC.outs() << "GRAUPEL-INFO: split " << Tally[0]
              << " functions; not split: " << Tally[1] << " all hot, "
              << Tally[2] << " all cold, " << Tally[3]
              << " would not get smaller\n";
    llvm::copy(Tally, splitTally().begin());
    return Error::success();
  }

private:
  uint64_t Threshold = 0;

  bool isCold(const BinaryBasicBlock &Block) const {
    return Block.getKnownExecutionCount() <= Threshold;
  }

  /// True if callers were counted and \p BF was not: it was entered, and no edge
  /// tells how it went on. Code that looks cold may be hot.
  static bool isUncounted(const BinaryFunction &BF) {
    const BinaryBasicBlock &Entry = BF.front();
    return Entry.getKnownExecutionCount() && Entry.succ_size() &&
           llvm::all_of(llvm::drop_begin(BF),
                        [](auto &B) { return !B.getKnownExecutionCount(); });
  }

  /// Step 2's decision: the blocks that leave.
  std::vector<BinaryBasicBlock *> findLeaving(BinaryFunction &BF) const {
    const bool HotLandingPads = llvm::any_of(
        BF, [&](auto &B) { return B.isLandingPad() && !isCold(B); });
    std::vector<BinaryBasicBlock *> Leaving;
    for (BinaryBasicBlock &Block : BF)
      if (canBeSplitOff(Block) &&
          (Block.isLandingPad() ? !HotLandingPads : isCold(Block)))
        Leaving.push_back(&Block);
    return Leaving;
  }

  /// Tells BOLT in which fragment the landing pads are. Without it the
  /// exception tables of position-independent code would hold absolute
  /// addresses, which are garbage at run time.
  static void nameLandingPadFragments(BinaryFunction &BF) {
    if (!BF.hasEHRanges())
      return;
    FragmentNum Pads = FragmentNum::main();
    for (const BinaryBasicBlock &Block : BF)
      if (Block.isLandingPad())
        Pads = Block.getFragmentNum();
    for (FunctionFragment &Fragment : BF.getLayout().fragments())
      BF.setLPFragment(Fragment.getFragmentNum(), Pads);
  }

  Outcome splitFunction(BinaryContext &BC, BinaryFunction &BF) const {
    // Before anything is measured, which emits the whole function.
    if (llvm::all_of(BF, [&](auto &B) { return isCold(B); }))
      return Outcome::AllCold;
    if (isUncounted(BF))
      return Outcome::AllHot;
    const std::vector<BinaryBasicBlock *> Leaving = findLeaving(BF);
    if (Leaving.empty())
      return Outcome::AllHot;
    BinaryFunction::BasicBlockOrderType Before(BF.getLayout().block_begin(),
                                               BF.getLayout().block_end());
    const uint64_t SizeBefore = BC.calculateEmittedSize(BF).first;
    for (BinaryBasicBlock *Block : Leaving)
      Block->setFragmentNum(FragmentNum::cold());
    BinaryFunction::BasicBlockOrderType After = Before;
    llvm::stable_sort(After, [](auto *A, auto *B) {
      return A->getFragmentNum() < B->getFragmentNum();
    });
    BF.getLayout().update(After);
    nameLandingPadFragments(BF);

    // Step 3.
    if (BC.calculateEmittedSize(BF).first < SizeBefore)
      return Outcome::Split;
    for (BinaryBasicBlock &Block : BF)
      Block.setFragmentNum(FragmentNum::main());
    BF.getLayout().update(Before);
    nameLandingPadFragments(BF);
    return Outcome::NotSmaller;
  }
};

} // namespace

void graupel::registerSplitPass(BoltPassRegistry &Registry) {
  Registry.add(PassStage::Split, "graupel-split",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!layoutPlan().Split)
                   return nullptr;
                 return std::make_unique<SplitPass>();
               });
}
