//===- Statistics/FetchMeasure.cpp - Cost of fetching code ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the windows and lines that execution enters, by the steps of the
// header and with their numbers. flowOf() and emittedAt() are for other files,
// too.
//
// 1. addInput() places the blocks at their addresses in the input. It adds up
//    the windows and lines that they enter, and the same for each innermost
//    loop.
// 2. addOutput() keeps the blocks with their offsets in the emitted fragments,
//    and the loops with the offset that their head has in the input.
// 3. finish() moves the blocks to the addresses of their fragments and adds
//    them up. A loop of the input gets its figures after the change from the
//    loop with the same head. Loops with a share of at least LoopShare are
//    listed, the most executed first.
//
//===----------------------------------------------------------------------===//

#include "FetchMeasure.h"
#include "Align/BlockPlace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

ProcedureFlow graupel::flowOf(BinaryFunction &BF) {
  ProcedureFlow Flow;
  DenseMap<const BinaryBasicBlock *, uint32_t> Number;
  for (const BinaryBasicBlock *B : BF.getLayout().blocks())
    Number.try_emplace(B, Number.size());
  for (BinaryBasicBlock *B : BF.getLayout().blocks()) {
    const uint32_t Source = Number.lookup(B);
    Flow.Blocks.push_back({B->getKnownExecutionCount(), B->getNumNonPseudos()});
    if (Source && (B->isEntryPoint() || B->isLandingPad()))
      Flow.OtherRoots.push_back(Source);
    auto Branch = B->branch_info_begin();
    for (const BinaryBasicBlock *Successor : B->successors()) {
      const uint64_t Count = (Branch++)->Count;
      Flow.Edges.push_back(
          {Source, Number.lookup(Successor),
           Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count});
    }
  }
  return Flow;
}

std::pair<uint64_t, uint64_t> graupel::emittedAt(const BinaryFunction &BF,
                                                 unsigned Fragment) {
  if (Fragment == 0)
    return {BF.getOutputAddress(), BF.getOutputSize()};
  const FunctionFragment &Part =
      BF.getLayout().getFragment(FragmentNum(Fragment));
  return {Part.getAddress(), Part.getImageSize()};
}

namespace {

/// The windows and lines that the executions of a loop's blocks enter.
struct Entered {
  uint64_t Windows = 0, Lines = 0;

  void add(const PlacedBlock &B) {
    Windows += unitsEntered(B, DecodeWindow);
    Lines += unitsEntered(B, CacheLine);
  }
  LoopFigures::Place perIteration(uint64_t Iterations) const {
    return {double(Windows) / Iterations, double(Lines) / Iterations};
  }
};

/// The blocks of \p BF where the input has them, in the order of its layout.
std::vector<PlacedBlock> placesInInput(BinaryFunction &BF) {
  std::vector<PlacedBlock> Places;
  const BinaryBasicBlock *Previous = nullptr;
  uint64_t PreviousEnd = 0;
  for (const BinaryBasicBlock *B : BF.getLayout().blocks()) {
    PlacedBlock P;
    if (isInInput(*B)) {
      P = placeBlock(*B, BF.getAddress() + B->getInputOffset(),
                     BF.getAddress() + B->getEndOffset(), Previous,
                     PreviousEnd);
      Previous = B;
      PreviousEnd = P.End;
    }
    Places.push_back(P);
  }
  return Places;
}

} // namespace

FetchMeasure::Entries FetchMeasure::addInput(BinaryFunction &BF,
                                             const ProcedureFlow &Flow) {
  const std::vector<PlacedBlock> Places = placesInInput(BF);
  Entered All;
  for (const PlacedBlock &P : Places)
    All.add(P);
  WindowsBefore += All.Windows;
  LinesBefore += All.Lines;
  for (const InnermostLoop &Loop : innermostLoops(Flow)) {
    LoopFigures Figures;
    Entered Sum;
    for (uint32_t Block : Loop.Blocks) {
      Sum.add(Places[Block]);
      Figures.Instructions +=
          Flow.Blocks[Block].Count * Flow.Blocks[Block].Instructions;
    }
    Figures.Procedure = BF.getPrintName();
    Figures.Offset = BF.getLayout().getBlock(Loop.Header)->getInputOffset();
    Figures.Iterations = Flow.Blocks[Loop.Header].Count;
    Figures.Before = Sum.perIteration(Figures.Iterations);
    Loops[{&BF, Figures.Offset}] = std::move(Figures);
  }
  return {All.Windows, All.Lines};
}

void FetchMeasure::addOutput(BinaryFunction &BF) {
  EmittedFunction F = {&BF, {}, {}};
  for (FunctionFragment &Fragment : BF.getLayout().fragments()) {
    const BinaryBasicBlock *Previous = nullptr;
    for (const BinaryBasicBlock *B : Fragment) {
      const auto [Begin, End] = B->getOutputAddressRange();
      F.Blocks.push_back(
          {Fragment.getFragmentNum().get(),
           placeBlock(*B, Begin, End, Previous,
                      Previous ? F.Blocks.back().Place.End : 0)});
      Previous = B;
    }
  }
  const ProcedureFlow Flow = flowOf(BF);
  for (InnermostLoop &Loop : innermostLoops(Flow))
    F.Loops.push_back({BF.getLayout().getBlock(Loop.Header)->getInputOffset(),
                       Flow.Blocks[Loop.Header].Count, std::move(Loop.Blocks)});
  Emitted.push_back(std::move(F));
}

void FetchMeasure::finish(const EmittedFunction &F, LayoutFigures &After) {
  std::vector<PlacedBlock> Places;
  for (const EmittedBlock &B : F.Blocks) {
    const auto [Base, Size] = emittedAt(*F.BF, B.Fragment);
    PlacedBlock P = B.Place;
    P.Begin += Base;
    P.End += Base;
    // Nothing is before the first block of a fragment.
    if (B.Place.Begin)
      P.PreviousEnd += Base;
    Places.push_back(P);
  }
  Entered All;
  for (const PlacedBlock &P : Places)
    All.add(P);
  After.WindowsEntered += All.Windows;
  After.LinesEntered += All.Lines;
  for (const EmittedLoop &Loop : F.Loops) {
    const auto Known = Loops.find({F.BF, Loop.Offset});
    if (Known == Loops.end())
      continue;
    Entered Sum;
    for (uint32_t Block : Loop.Blocks)
      Sum.add(Places[Block]);
    Known->second.After = Sum.perIteration(Loop.Iterations);
  }
}

void FetchMeasure::finish(LayoutChange &Change, uint64_t Executed) {
  for (const EmittedFunction &F : Emitted)
    finish(F, Change.After);
  Change.After.WindowsEntered += StayingWindows;
  Change.After.LinesEntered += StayingLines;
  Change.Before.WindowsEntered = WindowsBefore;
  Change.Before.LinesEntered = LinesBefore;
  const double Least = LayoutChange::LoopShare * Executed;
  for (auto &[Head, Figures] : Loops)
    if (Figures.Instructions >= Least)
      Change.Loops.push_back(std::move(Figures));
  llvm::sort(Change.Loops, [](const LoopFigures &A, const LoopFigures &B) {
    return std::tuple(B.Instructions, A.Procedure, A.Offset) <
           std::tuple(A.Instructions, B.Procedure, B.Offset);
  });
}
