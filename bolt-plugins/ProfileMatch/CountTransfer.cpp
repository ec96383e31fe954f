//===- ProfileMatch/CountTransfer.cpp - Counts for a changed function -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Blocks and edges whose counterparts are known get their counts; zeros are
//    counts, too.
// 2. LLVM's inference (profi) finds the flow of least cost that agrees with
//    them best. Its graph has a source, which leads to whatever is entered
//    from outside of the function, and a sink.
//
//===----------------------------------------------------------------------===//

#include "CountTransfer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Transforms/Utils/SampleProfileInference.h"

using namespace llvm;
using namespace graupel;

namespace {

/// The cost of a unit of difference, as BOLT weighs it for its own matching; it
/// leaves blocks that were not executed unknown, here they are known.
ProfiParams costs() {
  ProfiParams Params;
  Params.EvenFlowDistribution = true;
  Params.JoinIslands = true;
  Params.CostBlockInc = Params.CostBlockDec = 150;
  Params.CostBlockZeroInc = 150;
  Params.CostBlockEntryInc = Params.CostBlockEntryDec = 150;
  Params.CostBlockUnknownInc = 1;
  Params.CostJumpInc = Params.CostJumpFTInc = 150;
  Params.CostJumpDec = Params.CostJumpFTDec = 150;
  Params.CostJumpUnknownInc = 140;
  Params.CostJumpUnknownFTInc = 3;
  return Params;
}

class Inference {
public:
  explicit Inference(const ShapedFunction &F)
      : F(F), Sink(F.Blocks.size() + 1) {
    for (uint32_t Node = 0; Node <= Sink; ++Node) {
      FlowBlock Block;
      Block.Index = Node;
      Graph.Blocks.push_back(Block);
    }
    addEdges();
    addSources();
    addExits();
  }

  void know(uint32_t Block, uint64_t Count) {
    Graph.Blocks[node(Block)].Weight = Count;
    Graph.Blocks[node(Block)].HasUnknownWeight = false;
  }
  void knowEdge(uint32_t Block, uint32_t Successor, uint64_t Count) {
    knowJump(Jumps[Block][Successor], Count);
  }
  void knowEntered(uint32_t Block, uint64_t Count) {
    if (Sources[Block])
      knowJump(*Sources[Block], Count);
  }

  FunctionCounts run() {
    for (FlowJump &Jump : Graph.Jumps) {
      Graph.Blocks[Jump.Source].SuccJumps.push_back(&Jump);
      Graph.Blocks[Jump.Target].PredJumps.push_back(&Jump);
    }
    applyFlowInference(costs(), Graph);
    FunctionCounts Counts(F);
    for (uint32_t B = 0; B < F.Blocks.size(); ++B) {
      Counts.Blocks[B] = Graph.Blocks[node(B)].Flow;
      for (size_t I = 0; I < Jumps[B].size(); ++I)
        // Only the first of several edges to one block has a jump.
        if (I == firstTo(B, F.Blocks[B].Successors[I]))
          Counts.Edges[B][I] = Graph.Jumps[Jumps[B][I]].Flow;
      if (Sources[B])
        Counts.Entered[B] = Graph.Jumps[*Sources[B]].Flow;
    }
    return Counts;
  }

private:
  const ShapedFunction &F;
  const uint32_t Sink;
  FlowFunction Graph;
  std::vector<SmallVector<uint32_t, 2>> Jumps;  ///< By block and successor.
  std::vector<std::optional<uint32_t>> Sources; ///< By block.

  static uint32_t node(uint32_t Block) { return Block + 1; }

  uint32_t addJump(uint32_t From, uint32_t To, bool IsUnlikely = false) {
    FlowJump Jump;
    Jump.Source = From;
    Jump.Target = To;
    Jump.IsUnlikely = IsUnlikely;
    Graph.Jumps.push_back(Jump);
    return Graph.Jumps.size() - 1;
  }

  void knowJump(uint32_t Index, uint64_t Count) {
    FlowJump &Jump = Graph.Jumps[Index];
    Jump.Weight = Jump.HasUnknownWeight ? Count : Jump.Weight + Count;
    Jump.HasUnknownWeight = false;
  }

  size_t firstTo(uint32_t Block, uint32_t To) const {
    return llvm::find(F.Blocks[Block].Successors, To) -
           F.Blocks[Block].Successors.begin();
  }

  void addEdges() {
    Jumps.resize(F.Blocks.size());
    for (uint32_t B = 0; B < F.Blocks.size(); ++B)
      for (auto [I, To] : llvm::enumerate(F.Blocks[B].Successors)) {
        const size_t First = firstTo(B, To);
        Jumps[B].push_back(First < I ? Jumps[B][First]
                                     : addJump(node(B), node(To)));
      }
  }

  /// Every block must be led to, if only by what does not happen.
  void addSources() {
    std::vector<bool> Seen(F.Blocks.size());
    std::vector<uint32_t> Work;
    auto see = [&](uint32_t B) {
      if (!Seen[B])
        Work.push_back(B);
      Seen[B] = true;
    };
    auto follow = [&] {
      while (!Work.empty()) {
        const uint32_t From = Work.back();
        Work.pop_back();
        for (uint32_t To : F.Blocks[From].Successors)
          see(To);
      }
    };
    Sources.resize(F.Blocks.size());
    for (uint32_t B = 0; B < F.Blocks.size(); ++B)
      if (!B || F.Blocks[B].IsEntered) {
        Sources[B] = addJump(0, node(B));
        see(B);
      }
    follow();
    for (uint32_t B = 0; B < F.Blocks.size(); ++B)
      if (!Seen[B]) {
        addJump(0, node(B), /*IsUnlikely=*/true);
        see(B);
        follow();
      }
  }

  /// Every block must lead to the sink: of those that loop forever, the last.
  void addExits() {
    std::vector<SmallVector<uint32_t, 2>> Before(F.Blocks.size());
    std::vector<bool> Leaves(F.Blocks.size());
    std::vector<uint32_t> Work;
    auto leave = [&](uint32_t B) {
      addJump(node(B), Sink);
      Leaves[B] = true;
      Work.push_back(B);
    };
    for (uint32_t B = 0; B < F.Blocks.size(); ++B) {
      for (uint32_t To : F.Blocks[B].Successors)
        Before[To].push_back(B);
      if (F.Blocks[B].Successors.empty() || F.Blocks[B].MayLeave)
        leave(B);
    }
    for (uint32_t Last = F.Blocks.size();;) {
      while (!Work.empty()) {
        const uint32_t To = Work.back();
        Work.pop_back();
        for (uint32_t B : Before[To])
          if (!Leaves[B]) {
            Leaves[B] = true;
            Work.push_back(B);
          }
      }
      while (Last && Leaves[Last - 1])
        --Last;
      if (!Last)
        break;
      leave(Last - 1);
    }
  }
};

/// Beyond this the costs of a flow overflow.
constexpr unsigned MostBits = 40;

/// By how many bits to divide the counts of a function for the inference.
unsigned excessBits(const FunctionCounts &Counts) {
  uint64_t Most = 0;
  for (uint64_t Count : Counts.Blocks)
    Most = std::max(Most, Count);
  for (const auto &Edges : Counts.Edges)
    for (uint64_t Count : Edges)
      Most = std::max(Most, Count);
  for (uint64_t Count : Counts.Entered)
    Most = std::max(Most, Count);
  const unsigned Bits = bit_width(Most);
  return Bits > MostBits ? Bits - MostBits : 0;
}

void multiply(FunctionCounts &Counts, unsigned Shift) {
  for (uint64_t &Count : Counts.Blocks)
    Count <<= Shift;
  for (auto &Edges : Counts.Edges)
    for (uint64_t &Count : Edges)
      Count <<= Shift;
  for (uint64_t &Count : Counts.Entered)
    Count <<= Shift;
}

/// Edges whose ends are matched have their counts, unless the branch has
/// another way out now, to a new block: then it is another condition.
void knowEdges(Inference &Infer, const ShapedFunction &Old,
               const FunctionCounts &Counts, const ShapedFunction &New,
               const BlockMatches &Blocks, unsigned Shift) {
  std::vector<bool> IsOld(New.Blocks.size());
  for (const std::optional<uint32_t> &N : Blocks.NewOf)
    if (N)
      IsOld[*N] = true;
  for (uint32_t O = 0; O < Old.Blocks.size(); ++O) {
    if (!Blocks.NewOf[O])
      continue;
    const uint32_t N = *Blocks.NewOf[O];
    const auto &From = Old.Blocks[O].Successors, &To = New.Blocks[N].Successors;
    auto edge = [&](uint32_t OldTo) -> std::optional<size_t> {
      const auto At =
          Blocks.NewOf[OldTo] ? llvm::find(To, *Blocks.NewOf[OldTo]) : To.end();
      return At != To.end() ? std::optional<size_t>(At - To.begin())
                            : std::nullopt;
    };
    if (From.size() == 2 &&
        !llvm::all_of(From, [&](uint32_t T) { return edge(T).has_value(); }) &&
        !llvm::all_of(To, [&](uint32_t T) { return IsOld[T]; }))
      continue;
    for (auto [I, OldTo] : llvm::enumerate(From))
      if (const std::optional<size_t> At = edge(OldTo))
        Infer.knowEdge(N, *At, Counts.Edges[O][I] >> Shift);
  }
}

FunctionCounts copyCounts(const FunctionCounts &Counts,
                          const ShapedFunction &New,
                          const BlockMatches &Blocks) {
  FunctionCounts Result(New);
  for (uint32_t O = 0; O < Counts.Blocks.size(); ++O) {
    const uint32_t N = *Blocks.NewOf[O];
    Result.Blocks[N] = Counts.Blocks[O];
    Result.Edges[N] = Counts.Edges[O];
    Result.Entered[N] = Counts.Entered[O];
  }
  return Result;
}

} // namespace

FunctionCounts graupel::transferCounts(const ShapedFunction &Old,
                                       const FunctionCounts &Counts,
                                       const ShapedFunction &New,
                                       const BlockMatches &Blocks) {
  if (Blocks.SameGraph)
    return copyCounts(Counts, New, Blocks);
  Inference Infer(New);
  const unsigned Shift = excessBits(Counts);
  for (uint32_t O = 0; O < Old.Blocks.size(); ++O)
    if (Blocks.NewOf[O]) {
      Infer.know(*Blocks.NewOf[O], Counts.Blocks[O] >> Shift);
      Infer.knowEntered(*Blocks.NewOf[O], Counts.Entered[O] >> Shift);
    }
  for (const auto &[O, N] : Blocks.Parts)
    Infer.know(N, Counts.Blocks[O] >> Shift);
  knowEdges(Infer, Old, Counts, New, Blocks, Shift);
  FunctionCounts Result = Infer.run();
  multiply(Result, Shift);
  return Result;
}
