//===- stride/Repeat.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repeat.h"
#include <algorithm>

namespace graupel::stride {

template <class T> static T *room(uint32_t Count) {
  return static_cast<T *>(allocate(Count * sizeof(T)));
}

void Execution::begin(const NestShape &Shape, const uint64_t *Record,
                      const Counting &C) {
  uint32_t References = Shape.Lengths - Shape.Bases;
  if (!Known) {
    Known = room<uint64_t>(Shape.End);
    First = room<uint32_t>(Shape.End);
    Parts = room<Part>(References);
    Anchors = room<Anchor>(References);
    LoopsIn = room<Loop>(Shape.Bases);
  }
  IsKnown = false;
  PartCount = AnchorCount = PartAnchors = LoopCount = TallyCount = 0;
  Words = Record;
  std::copy(Record, Record + Shape.End, Known);
  // A base of what is not executed may be anything.
  for (uint32_t N = Shape.Bases; N < Shape.Lengths; ++N) {
    First[N] = N;
    Known[N] = 0;
  }
  for (unsigned Lag = 0; Lag < 8; ++Lag)
    Compared[Lag] = Lag < C.MaxLag ? ~uint64_t(0) : 0;
}

void Execution::addReference(uint32_t Word, uint32_t Site,
                             const SiteState *States, uint64_t Low,
                             uint64_t High) {
  const SiteState &State = States[Site];
  uint32_t Base = AnchorCount == PartAnchors ? Word : Anchors[PartAnchors].Word;
  First[Word] = Base;
  Known[Word] = Words[Word] - Words[Base];
  Low -= Words[Base];
  High -= Words[Base];
  for (uint32_t N = PartAnchors; N < AnchorCount; ++N) {
    Anchor &A = Anchors[N];
    const SiteState &Other = States[A.Site];
    if (Other.Begin != State.Begin || Other.Bytes != State.Bytes)
      continue;
    auto Signed = [](uint64_t V) { return static_cast<int64_t>(V); };
    A.Low = Signed(Low) < Signed(A.Low) ? Low : A.Low;
    A.High = Signed(High) > Signed(A.High) ? High : A.High;
    return;
  }
  Anchors[AnchorCount++] = {Base, Site, State.H, Low, High};
}

void Execution::addPart(const StreamNest &Nest, Stream &S,
                        const Eight &Before) {
  uint32_t Needed = TallyCount + Nest.tallyCount();
  if (Needed > TallyRoom) {
    Tally *More = room<Tally>(2 * Needed);
    std::copy(Tallies, Tallies + TallyCount, More);
    for (uint32_t N = 0; N < PartCount; ++N)
      Parts[N].Tallies = More + (Parts[N].Tallies - Tallies);
    Tallies = More;
    TallyRoom = 2 * Needed;
  }
  uint32_t Word = Anchors[PartAnchors].Word;
  Part &P = Parts[PartCount++];
  P.S = &S;
  P.Word = Word;
  P.Distances = Words[Word] - Before;
  P.Tail = S.recent() - Words[Word];
  P.Tallies = Tallies + TallyCount;
  P.TallyCount = Nest.tallyCount();
  std::copy(Nest.tallies(), Nest.tallies() + P.TallyCount, P.Tallies);
  TallyCount = Needed;
  PartAnchors = AnchorCount;
}

void Execution::addLoop(LoopCounts *Counts, uint64_t Executions,
                        uint64_t Iterations) {
  LoopsIn[LoopCount++] = {Counts, Executions, Iterations};
}

void Execution::flush(const Counting &C) {
  if (!Times)
    return;
  for (uint32_t N = 0; N < PartCount; ++N)
    for (uint32_t K = 0; K < Parts[N].TallyCount; ++K) {
      const Tally &T = Parts[N].Tallies[K];
      T.Of->addTuple(C, T.Tuple, T.Weight * Times);
    }
  for (uint32_t N = 0; N < LoopCount; ++N) {
    LoopsIn[N].Counts->Executions += LoopsIn[N].Executions * Times;
    LoopsIn[N].Counts->Iterations += LoopsIn[N].Iterations * Times;
  }
  Times = 0;
}

} // namespace graupel::stride
