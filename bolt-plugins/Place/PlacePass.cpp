//===- Place/PlacePass.cpp - Orders the functions -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries the program into the graphs of the placement algorithms and the
// decided order back.
//
// 1. Without relocations functions keep their places, and the pass says so.
// 2. ProgramParts lists the main fragments of profiled functions, then their
//    cold fragments, with sizes and executed instructions. addCallsOf() adds
//    the counted calls as edges.
// 3. inferCallsOfOpaque() spreads executions that no known call explains over
//    the functions without counts that call the function.
// 4. The order: Closest is Best for -layout=spike; otherwise the cache-directed
//    order of the main fragments (Newell and Pupyrev 2020), for which parallel
//    edges become one.
// 5. apply() numbers the functions in this order and behind them those that
//    cannot be instrumented. Executed cold fragments, if they are in the order,
//    get one of their own (Support/ColdRanks).
//
//===----------------------------------------------------------------------===//

#include "CallCounts.h"
#include "ClosestIsBest.h"
#include "Options/LayoutPlan.h"
#include "Support/ColdRanks.h"
#include "graupel/LayoutPasses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/CodeLayout.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The parts of the program: the main fragment of each profiled function, then
/// the cold fragments.
class ProgramParts {
public:
  ReferenceGraph Graph;
  std::vector<BinaryFunction *> Functions;
  size_t NumHot = 0;

  explicit ProgramParts(BinaryContext &BC) : BC(BC) {
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (hasPlace(BF))
        addPart(BF, FragmentNum::main());
    NumHot = Functions.size();
    for (size_t I = 0; I < NumHot; ++I)
      if (Functions[I]->isSplit())
        addPart(*Functions[I], FragmentNum::cold());
    for (size_t Part = 0; Part < Functions.size(); ++Part)
      addCallsOf(Part);
    inferCallsOfOpaque();
  }

private:
  BinaryContext &BC;
  DenseMap<const BinaryFunction *, uint32_t> HotPartOf;

  void addPart(BinaryFunction &BF, FragmentNum Num) {
    if (Num == FragmentNum::main())
      HotPartOf[&BF] = Functions.size();
    Functions.push_back(&BF);
    uint64_t Count = 0;
    for (const BinaryBasicBlock *Block : BF.getLayout().getFragment(Num))
      Count += Block->getKnownExecutionCount() * Block->getNumNonPseudos();
    Graph.Parts.push_back({0, Count});
  }

  void addCallsOf(uint32_t Part) {
    const FragmentNum Num =
        Part < NumHot ? FragmentNum::main() : FragmentNum::cold();
    uint64_t Offset = 0;
    for (BinaryBasicBlock *Block :
         Functions[Part]->getLayout().getFragment(Num)) {
      for (const MCInst &Inst : *Block) {
        if (BC.MIB->isCall(Inst))
          forEachCallee(
              *Block, Inst, [&](const BinaryFunction &Callee, uint64_t Count) {
                auto It = HotPartOf.find(&Callee);
                if (It != HotPartOf.end() && Count)
                  Graph.Edges.push_back({Part, It->second, Count, Offset});
              });
        Offset += BC.computeInstructionSize(Inst);
      }
    }
    Graph.Parts[Part].Size = std::max<uint64_t>(Offset, 1);
  }

  /// The executed functions that \p Opaque calls, with the offset of a call.
  std::map<uint32_t, uint64_t> calleesOf(uint32_t Opaque) const {
    std::map<uint32_t, uint64_t> Callees;
    uint64_t Offset = 0;
    for (const BinaryBasicBlock *Block :
         Functions[Opaque]->getLayout().getMainFragment())
      for (const MCInst &Inst : *Block) {
        const MCSymbol *Target =
            BC.MIB->isCall(Inst) ? BC.MIB->getTargetSymbol(Inst) : nullptr;
        if (const BinaryFunction *Callee =
                Target ? BC.getFunctionForSymbol(Target) : nullptr)
          if (auto It = HotPartOf.find(Callee); It != HotPartOf.end())
            Callees.try_emplace(It->second, Offset);
        Offset += BC.computeInstructionSize(Inst);
      }
    return Callees;
  }

  /// A function that cannot be instrumented, an interpreter's loop say, has no
  /// counts of its calls. But what a function was called more often than its
  /// known callers account for, it was called by the unknown ones.
  void inferCallsOfOpaque() {
    std::vector<uint64_t> Known(NumHot);
    for (const ReferenceGraph::Edge &Edge : Graph.Edges)
      Known[Edge.Target] += Edge.Count;
    std::map<uint32_t, std::vector<ReferenceGraph::Edge>> CallersOf;
    for (uint32_t Part = 0; Part < NumHot; ++Part)
      if (!Functions[Part]->isSimple())
        for (const auto &[Callee, Offset] : calleesOf(Part))
          CallersOf[Callee].push_back({Part, Callee, 0, Offset});
    for (auto &[Callee, Calls] : CallersOf) {
      const uint64_t Count = Functions[Callee]->getKnownExecutionCount();
      if (Count <= Known[Callee])
        continue;
      for (ReferenceGraph::Edge &Call : Calls) {
        Call.Count = (Count - Known[Callee]) / Calls.size();
        Graph.Parts[Call.Source].Count += Call.Count;
        if (Call.Count)
          Graph.Edges.push_back(Call);
      }
    }
  }
};

/// The hot parts in cache-directed order (Newell and Pupyrev 2020).
std::vector<uint32_t> placeCacheDirected(const ProgramParts &Program) {
  const ReferenceGraph &Graph = Program.Graph;
  std::vector<uint64_t> Sizes, Counts;
  for (size_t I = 0; I < Program.NumHot; ++I) {
    Sizes.push_back(Graph.Parts[I].Size);
    Counts.push_back(Program.Functions[I]->getKnownExecutionCount());
  }
  // Parallel edges become one, at the weighted average of their offsets.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, double>> Calls;
  for (const ReferenceGraph::Edge &Edge : Graph.Edges)
    if (Edge.Source < Program.NumHot && Edge.Source != Edge.Target) {
      auto &[Count, WeightedOffset] = Calls[{Edge.Source, Edge.Target}];
      Count += Edge.Count;
      WeightedOffset += static_cast<double>(Edge.Count) * Edge.Offset;
    }
  std::vector<codelayout::EdgeCount> Edges;
  std::vector<uint64_t> Offsets;
  for (const auto &[Ends, Call] : Calls) {
    Edges.push_back({Ends.first, Ends.second, Call.first});
    Offsets.push_back(Call.second / Call.first);
  }
  const std::vector<uint64_t> Order =
      codelayout::computeCacheDirectedLayout(Sizes, Counts, Edges, Offsets);
  return {Order.begin(), Order.end()};
}

class PlacePass : public BinaryFunctionPass {
public:
  PlacePass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-place"; }

  Error runOnFunctions(BinaryContext &BC) override {
    if (!BC.HasRelocations) {
      BC.outs()
          << "GRAUPEL-INFO: functions keep their places: the input has no "
             "relocations; link it with --emit-relocs\n";
      return Error::success();
    }
    const ProgramParts Program(BC);
    apply(BC, Program,
          layoutPlan().Kind == LayoutKind::Spike
              ? placeClosestIsBest(Program.Graph)
              : placeCacheDirected(Program));
    return Error::success();
  }

private:
  /// Hot parts get their functions' indices; cold parts, if \p Order has them,
  /// an order of their own behind all hot ones.
  static void apply(BinaryContext &BC, const ProgramParts &Program,
                    ArrayRef<uint32_t> Order) {
    uint32_t Index = 0;
    std::vector<const BinaryFunction *> ColdOrder;
    for (uint32_t Part : Order) {
      BinaryFunction &BF = *Program.Functions[Part];
      const bool Cold = Part >= Program.NumHot;
      if (layoutPlan().PrintPlacement)
        BC.outs() << "place " << (Cold ? ColdOrder.size() : Index) << ": "
                  << BF.getPrintName() << (Cold ? " cold" : "") << " ("
                  << Program.Graph.Parts[Part].Size << " bytes)\n";
      // Code that was not executed has no place to prefer.
      if (!Cold)
        BF.setIndex(Index++);
      else if (Program.Graph.Parts[Part].Count)
        ColdOrder.push_back(&BF);
    }
    // No profile can be had of functions that cannot be instrumented. They may
    // be the hottest of all, an interpreter's loop say, so they stay near.
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (!BF.isSimple() && !BF.hasValidIndex() && BC.shouldEmit(BF) &&
          BF.hasCFG())
        BF.setIndex(Index++);
    BC.outs() << "GRAUPEL-INFO: placed " << Index << " functions and "
              << ColdOrder.size() << " cold parts by "
              << Program.Graph.Edges.size() << " call edges\n";
    setColdOrder(std::move(ColdOrder));
  }
};

} // namespace

void graupel::registerPlacePass(BoltPassRegistry &Registry) {
  Registry.add(PassStage::FunctionOrder, "graupel-place",
               []() -> std::unique_ptr<BinaryFunctionPass> {
                 if (!layoutPlan().Place)
                   return nullptr;
                 return std::make_unique<PlacePass>();
               });
}
