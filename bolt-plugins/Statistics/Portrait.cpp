//===- Statistics/Portrait.cpp - Statistics of a program ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Portrait.h"
#include "Split/HotThreshold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace graupel;

TransferCounts &TransferCounts::operator+=(const TransferCounts &Other) {
  ConditionalTaken += Other.ConditionalTaken;
  ConditionalNotTaken += Other.ConditionalNotTaken;
  Jumps += Other.Jumps;
  IndirectJumps += Other.IndirectJumps;
  TailCalls += Other.TailCalls;
  FallThroughs += Other.FallThroughs;
  Calls += Other.Calls;
  Returns += Other.Returns;
  return *this;
}

FrameCounts &FrameCounts::operator+=(const FrameCounts &Other) {
  Saves += Other.Saves;
  Restores += Other.Restores;
  StackAdjustments += Other.StackAdjustments;
  FramePointer += Other.FramePointer;
  ShrinkWrapped += Other.ShrinkWrapped;
  return *this;
}

void PortraitBuilder::add(const ProcedureFlow &Flow) {
  const uint64_t Weight = Flow.weight();
  if (Weight == 0)
    return;
  Procedure P = {Weight,
                 hottestLoopTripCount(Flow),
                 Flow.entryIsHottest(),
                 Flow.Blocks.size(),
                 {}};
  for (const ProcedureFlow::Block &B : Flow.Blocks)
    if (B.Count)
      P.Executed.push_back({B.Count, B.Instructions});
  Procedures.push_back(std::move(P));
}

Complexity PortraitBuilder::complexity(double TripsBelow,
                                       uint64_t ColdThreshold) const {
  ShareBins All(ShareBins::End::Closed, 1, 1024);
  ShareBins Hot(ShareBins::End::Closed, 1, 1024);
  Complexity Result;
  for (const Procedure &P : Procedures) {
    if (P.TripCount >= TripsBelow)
      continue;
    Result.Weight = llvm::SaturatingAdd(Result.Weight, P.Weight);
    All.add(P.Blocks, P.Weight);
    Hot.add(llvm::count_if(P.Executed,
                           [&](auto &B) { return B.first > ColdThreshold; }),
            P.Weight);
  }
  Result.AllBlocks = All.bins();
  Result.HotBlocks = Hot.bins();
  return Result;
}

void PortraitBuilder::finish(Portrait &P, double ColdShare) const {
  CountDistribution Distribution;
  ShareBins Trips(ShareBins::End::Open, 2);
  uint64_t EntryHottest = 0, Executed = 0;
  for (const Procedure &Proc : Procedures) {
    for (const auto &[Count, Instructions] : Proc.Executed)
      Distribution.add(Count, Instructions);
    Trips.add(Proc.TripCount, Proc.Weight);
    P.HighestTripCount = std::max(P.HighestTripCount, Proc.TripCount);
    Executed = llvm::SaturatingAdd(Executed, Proc.Weight);
    if (Proc.EntryHottest)
      EntryHottest = llvm::SaturatingAdd(EntryHottest, Proc.Weight);
  }
  P.Executed = Executed;
  P.ColdShare = ColdShare;
  P.ColdThreshold = Distribution.coldThreshold(ColdShare);
  P.TripCounts = Trips.bins();
  P.EntryHottestPercent = percent(EntryHottest, Executed);
  P.HardlyLooping = complexity(Portrait::FewTrips, P.ColdThreshold);
  P.AllProcedures =
      complexity(std::numeric_limits<double>::infinity(), P.ColdThreshold);
}
