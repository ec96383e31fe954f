//===- Chain/ChainPass.cpp - Orders the blocks of each function -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries functions into FlowGraphs and the decided order back. The spike
// layout chains greedily; the graupel layout maximizes the extended-TSP score
// (Newell and Pupyrev 2020) with LLVM's implementation. That one's time grows
// with the square of the number of blocks, so the largest functions, which are
// generated, are chained greedily, too.
//
//===----------------------------------------------------------------------===//

#include "GreedyChain.h"
#include "Options/LayoutPlan.h"
#include "bolt/Core/ParallelUtilities.h"
#include "graupel/LayoutPasses.h"
#include "llvm/Transforms/Utils/CodeLayout.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

uint64_t knownCount(const BinaryBasicBlock::BinaryBranchInfo &Branch) {
  return Branch.Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Branch.Count;
}

/// Blocks are numbered as in \p Order, the function's current layout.
FlowGraph buildFlowGraph(BinaryFunction &BF, ArrayRef<BinaryBasicBlock *> Order,
                         const MCCodeEmitter *Emitter) {
  FlowGraph Graph;
  BF.getLayout().updateLayoutIndices();
  for (BinaryBasicBlock *Block : Order)
    Graph.Blocks.push_back({std::max<uint64_t>(Block->estimateSize(Emitter), 1),
                            Block->getKnownExecutionCount()});
  for (BinaryBasicBlock *Block : Order) {
    const bool CanFallThrough = !Block->hasJumpTable();
    auto Branch = Block->branch_info_begin();
    for (BinaryBasicBlock *Successor : Block->successors())
      Graph.Edges.push_back({Block->getLayoutIndex(),
                             Successor->getLayoutIndex(), knownCount(*Branch++),
                             CanFallThrough});
  }
  return Graph;
}

std::vector<uint32_t> maximizeExtTspScore(const FlowGraph &Graph) {
  std::vector<uint64_t> Sizes, Counts;
  std::vector<codelayout::EdgeCount> Jumps;
  for (const FlowGraph::Block &Block : Graph.Blocks) {
    Sizes.push_back(Block.Size);
    Counts.push_back(Block.Count);
  }
  for (const FlowGraph::Edge &Edge : Graph.Edges)
    Jumps.push_back({Edge.Source, Edge.Target, Edge.Count});
  std::vector<uint64_t> Order =
      codelayout::computeExtTspLayout(Sizes, Counts, Jumps);
  return {Order.begin(), Order.end()};
}

/// Seconds of work for the extended-TSP score, milliseconds for greedy chains.
constexpr size_t MostBlocksScored = 10'000;

class ChainPass : public BinaryFunctionPass {
public:
  ChainPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-chain"; }

  bool shouldOptimize(const BinaryFunction &BF) const override {
    return BF.hasValidProfile() && BF.getLayout().block_size() > 2 &&
           BinaryFunctionPass::shouldOptimize(BF);
  }

  Error runOnFunctions(BinaryContext &BC) override {
    const bool Print = layoutPlan().PrintChains;
    std::atomic<uint64_t> Changed{0};
    ParallelUtilities::runOnEachFunction(
        BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
        [&](BinaryFunction &BF) { Changed += orderBlocks(BC, BF, Print); },
        [&](const BinaryFunction &BF) { return !shouldOptimize(BF); },
        "graupel-chain", /*ForceSequential=*/Print);
    BC.outs() << "GRAUPEL-INFO: chaining changed the block order of " << Changed
              << " functions\n";
    return Error::success();
  }

private:
  static bool orderBlocks(BinaryContext &BC, BinaryFunction &BF, bool Print) {
    // An emitter of our own: the context's is not thread-safe.
    BinaryContext::IndependentCodeEmitter Emitter =
        BC.createIndependentMCCodeEmitter();
    std::vector<BinaryBasicBlock *> Original(BF.getLayout().block_begin(),
                                             BF.getLayout().block_end());
    const FlowGraph Graph = buildFlowGraph(BF, Original, Emitter.MCE.get());

    std::vector<uint32_t> Order;
    if (layoutPlan().Kind == LayoutKind::Spike ||
        Graph.Blocks.size() > MostBlocksScored) {
      ChainOrder Chains = chainGreedily(Graph);
      if (Print) {
        BC.outs() << "chains of " << BF.getPrintName() << ":\n";
        Chains.print(BC.outs(), Graph);
      }
      Order = Chains.blocks();
    } else {
      Order = maximizeExtTspScore(Graph);
      if (Print) {
        BC.outs() << "block order of " << BF.getPrintName() << ":";
        for (uint32_t Block : Order)
          BC.outs() << ' ' << Block;
        BC.outs() << '\n';
      }
    }

    BinaryFunction::BasicBlockOrderType NewLayout;
    for (uint32_t Block : Order)
      NewLayout.push_back(Original[Block]);
    return BF.getLayout().update(NewLayout);
  }
};

} // namespace

void graupel::registerChainPass(BoltPassRegistry &Registry) {
  Registry.add(PassStage::BlockOrder, "graupel-chain",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!layoutPlan().Chain)
                   return nullptr;
                 return std::make_unique<ChainPass>();
               });
}
