//===- Place/PlacePass.cpp - Orders the functions -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries the program's calls into a ReferenceGraph whose parts are the
// fragments of the profiled functions, and the decided order back.
//
//===----------------------------------------------------------------------===//

#include "ClosestIsBest.h"
#include "Driver/ColdOrder.h"
#include "Driver/LayoutPlan.h"
#include "bolt/Core/BinaryFunction.h"
#include "graupel/LayoutPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/CodeLayout.h"

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
      if (BF.hasProfile() && !BF.isIgnored() &&
          BF.getState() == BinaryFunction::State::CFG)
        addPart(BF, FragmentNum::main());
    NumHot = Functions.size();
    for (size_t I = 0; I < NumHot; ++I)
      if (Functions[I]->isSplit())
        addPart(*Functions[I], FragmentNum::cold());
    for (size_t Part = 0; Part < Functions.size(); ++Part)
      addCallsOf(Part);
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

  /// Calls \p Report with each target of the call \p Inst and its count.
  void forEachCallee(
      const BinaryBasicBlock &Block, const MCInst &Inst,
      function_ref<void(const BinaryFunction &, uint64_t)> Report) const {
    auto reportSymbol = [&](const MCSymbol *Symbol, uint64_t Count) {
      if (const BinaryFunction *Callee =
              Symbol ? BC.getFunctionForSymbol(Symbol) : nullptr)
        Report(*Callee, Count);
    };
    const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
    if (!Target && BC.MIB->hasAnnotation(Inst, "CallProfile")) {
      for (const IndirectCallProfile &Profile :
           BC.MIB->getAnnotationAs<IndirectCallSiteProfile>(Inst,
                                                            "CallProfile"))
        reportSymbol(Profile.Symbol, Profile.Count);
      return;
    }
    reportSymbol(Target, BC.MIB->getAnnotationWithDefault(
                             Inst, "Count", Block.getKnownExecutionCount()));
  }

  void addCallsOf(uint32_t Part) {
    const FragmentNum Num =
        Part < NumHot ? FragmentNum::main() : FragmentNum::cold();
    uint64_t Offset = 0;
    for (BinaryBasicBlock *Block :
         Functions[Part]->getLayout().getFragment(Num)) {
      for (const MCInst &Inst : *Block) {
        if (BC.MIB->isCall(Inst))
          forEachCallee(*Block, Inst,
                        [&](const BinaryFunction &Callee, uint64_t Count) {
                          auto It = HotPartOf.find(&Callee);
                          if (It != HotPartOf.end() && Count)
                            Graph.Edges.push_back(
                                {Part, It->second, Count, Offset});
                        });
        Offset += BC.computeInstructionSize(Inst);
      }
    }
    Graph.Parts[Part].Size = std::max<uint64_t>(Offset, 1);
  }
};

/// The hot parts in cache-directed order.
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
  std::vector<uint64_t> Order =
      codelayout::computeCacheDirectedLayout(Sizes, Counts, Edges, Offsets);
  return {Order.begin(), Order.end()};
}

class PlacePass : public BinaryFunctionPass {
public:
  PlacePass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "graupel-place"; }

  Error runOnFunctions(BinaryContext &BC) override {
    if (!BC.HasRelocations) {
      BC.outs() << "GRAUPEL-INFO: functions keep their places: the input has no "
                   "relocations; link it with --emit-relocs\n";
      return Error::success();
    }
    const LayoutPlan &Plan = layoutPlan();
    ProgramParts Program(BC);
    std::vector<uint32_t> Order = Plan.Kind == LayoutKind::Spike
                                      ? placeClosestIsBest(Program.Graph)
                                      : placeCacheDirected(Program);
    uint32_t Index = 0;
    std::vector<const BinaryFunction *> ColdOrder;
    for (uint32_t Part : Order) {
      BinaryFunction &BF = *Program.Functions[Part];
      const bool Cold = Part >= Program.NumHot;
      if (Plan.PrintPlacement)
        BC.outs() << "place " << (Cold ? ColdOrder.size() : Index) << ": "
                  << BF.getPrintName() << (Cold ? " cold" : "") << " ("
                  << Program.Graph.Parts[Part].Size << " bytes)\n";
      // What was not executed has no place to prefer.
      if (!Cold)
        BF.setIndex(Index++);
      else if (Program.Graph.Parts[Part].Count)
        ColdOrder.push_back(&BF);
    }
    BC.outs() << "GRAUPEL-INFO: placed " << Index << " functions and "
              << ColdOrder.size() << " cold parts by "
              << Program.Graph.Edges.size() << " call edges\n";
    setColdOrder(std::move(ColdOrder));
    return Error::success();
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
