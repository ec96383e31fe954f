//===- Instrument/FlowProfile.cpp - Describes a function to its profile ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes a function and its plan of counters to the profile. The places are
// named as llvm-bolt's instrumentation names them, so that either's profiles
// mean the same to readers of fdata.
//
// 1. describeFlow() writes down the offset and the shape of each block.
// 2. It writes down each edge of the plan and whether it is counted.
//    branchOffset() finds the branch, or the last instruction before a
//    fall-through, that names the edge. Computed gotos and their labels are
//    named, too.
// 3. describeCalls() adds each call of a known function, with the block or the
//    edge that counts it. Indirect calls become sites if they are wanted.
// 4. numberFlow() adds the indices of names, and takes the next free counters
//    and sites of the image.
//
//===----------------------------------------------------------------------===//

#include "FlowProfile.h"
#include "Support/ComputedGoto.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The offset of the conditional jump to another function, or to its own
/// function's cold part, that ends \p From. BOLT gives such a jump a block of
/// its own, which has the tail call and its offset; the jump has none left.
std::optional<uint32_t> conditionalTailCallOffset(BinaryFunction &BF,
                                                  const MCInst &Jump) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  if (!MIB.isConditionalBranch(Jump) || MIB.getOffset(Jump))
    return std::nullopt;
  const BinaryBasicBlock *Taken =
      BF.getBasicBlockForLabel(MIB.getTargetSymbol(Jump));
  const MCInst *Exit = Taken ? Taken->getLastNonPseudoInstr() : nullptr;
  if (!Exit || !MIB.isTailCall(*Exit))
    return std::nullopt;
  return MIB.getOffset(*Exit);
}

/// The offset of the instruction in \p From that leads to \p To: a branch, or
/// for a fall-through the last instruction.
std::optional<uint32_t> branchOffset(BinaryFunction &BF,
                                     const BinaryBasicBlock &From,
                                     const BinaryBasicBlock &To) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  bool FallsThrough = true;
  const MCInst *Last = nullptr;
  for (const MCInst &Inst : From) {
    if (MIB.isPseudo(Inst))
      continue;
    Last = &Inst;
    const std::optional<uint32_t> Offset = MIB.getOffset(Inst);
    if (Offset && BF.getJumpTable(Inst))
      return Offset;
    if (!MIB.isBranch(Inst) || MIB.isTailCall(Inst))
      continue;
    if (BF.getBasicBlockForLabel(MIB.getTargetSymbol(Inst)) == &To)
      return Offset;
    if (MIB.isUnconditionalBranch(Inst))
      FallsThrough = false;
  }
  if (!FallsThrough || !Last)
    return std::nullopt;
  if (const std::optional<uint32_t> Offset = MIB.getOffset(*Last))
    return Offset;
  return conditionalTailCallOffset(BF, *Last);
}

/// The block of \p BF that \p Target names: by its label, or by the symbol
/// that other functions, such as its own cold part, know an entry by.
const BinaryBasicBlock *entryBlock(const BinaryFunction &BF,
                                   const MCSymbol *Target) {
  if (const BinaryBasicBlock *Labeled = BF.getBasicBlockForLabel(Target))
    return Labeled;
  for (const BinaryBasicBlock &Block : BF)
    if (Block.isEntryPoint() &&
        BF.getSecondaryEntryPointSymbol(Block) == Target)
      return &Block;
  return nullptr;
}

/// The function that \p Inst calls, and where it enters it.
std::optional<std::pair<const BinaryFunction *, uint32_t>>
callee(BinaryFunction &BF, const MCInst &Inst) {
  BinaryContext &BC = BF.getBinaryContext();
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
  if (!Target)
    return std::nullopt;
  if (const BinaryBasicBlock *Inside = BF.getBasicBlockForLabel(Target))
    return std::make_pair(&BF, Inside->getInputOffset());
  const BinaryFunction *Callee = BC.getFunctionForSymbol(Target);
  if (!Callee)
    return std::nullopt;
  const BinaryBasicBlock *Entry =
      Target == Callee->getSymbol() ? nullptr : entryBlock(*Callee, Target);
  return std::make_pair(Callee, Entry ? Entry->getInputOffset() : 0);
}

/// The index of the edge by which \p Block leaves for another function.
uint32_t exitEdge(const CounterPlan &Plan, const BinaryBasicBlock &Block) {
  return llvm::find_if(Plan.edges(),
                       [&](const CounterPlan::Edge &Edge) {
                         return Edge.From == &Block && !Edge.To;
                       }) -
         Plan.edges().begin();
}

void describeCalls(BinaryFunction &BF, const CounterPlan &Plan,
                   bool IndirectCalls, FlowDescription &D) {
  BinaryContext &BC = BF.getBinaryContext();
  FunctionProfile &F = D.Profile;
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block) {
      const std::optional<uint32_t> Offset = BC.MIB->getOffset(Inst);
      if (!Offset || !BC.MIB->isCall(Inst))
        continue;
      if (isSite(BC, Inst)) {
        if (IndirectCalls)
          F.Sites.push_back(*Offset);
        continue;
      }
      const auto Callee = callee(BF, Inst);
      if (!Callee)
        continue;
      const bool IsEdge = BC.MIB->isConditionalBranch(Inst);
      F.Calls.push_back({IsEdge ? exitEdge(Plan, Block) : Plan.node(&Block),
                         IsEdge, *Offset, /*Callee=*/0, Callee->second});
      D.Callees.push_back(Callee->first);
    }
}

} // namespace

bool graupel::isSite(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MIB->isCall(Inst) && BC.MIB->getOffset(Inst) &&
         !BC.MIB->getTargetSymbol(Inst) && BC.MIB->isIndirectCall(Inst);
}

FlowDescription graupel::describeFlow(BinaryFunction &BF,
                                      const CounterPlan &Plan,
                                      const BlockShapes &Shapes,
                                      bool IndirectCalls) {
  FlowDescription D;
  FunctionProfile &F = D.Profile;
  F.Blocks.reserve(BF.size());
  F.Shapes.reserve(BF.size());
  for (const BinaryBasicBlock &Block : BF) {
    F.Blocks.push_back(Block.getInputOffset());
    F.Shapes.push_back(Shapes.of(Block));
  }
  F.Edges.reserve(Plan.edges().size());
  for (const CounterPlan::Edge &Edge : Plan.edges()) {
    F.Edges.push_back(
        {Plan.node(Edge.From), Plan.node(Edge.To), std::nullopt, Edge.Counted});
    if (Edge.From && Edge.To)
      F.Edges.back().Branch = branchOffset(BF, *Edge.From, *Edge.To);
    else if (Edge.From && isComputedGoto(*Edge.From))
      F.Edges.back().Branch = BF.getBinaryContext().MIB->getOffset(
          *Edge.From->getLastNonPseudoInstr());
    else if (Edge.To && isGotoTarget(*Edge.To))
      F.Edges.back().Branch = Edge.To->getInputOffset();
    D.NumCounters += Edge.Counted;
  }
  describeCalls(BF, Plan, IndirectCalls, D);
  return D;
}

void graupel::numberFlow(const BinaryFunction &BF, FlowDescription &D,
                         InstrumentedImage &Image) {
  FunctionProfile &F = D.Profile;
  F.Name = Image.nameOf(BF);
  for (auto [Call, Callee] : llvm::zip_equal(F.Calls, D.Callees))
    Call.Callee = Image.nameOf(*Callee);
  F.FirstCounter = Image.NumCounters;
  F.FirstSite = Image.NumSites;
  Image.NumCounters += D.NumCounters;
  Image.NumSites += F.Sites.size();
}
