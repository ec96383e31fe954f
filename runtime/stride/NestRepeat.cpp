//===- stride/NestRepeat.cpp
//--------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestRepeat.h"
#include <algorithm>

namespace graupel::stride {

template <class T> static T *room(uint32_t Count) {
  return static_cast<T *>(allocate(Count * sizeof(T)));
}

void NestExecution::begin(const NestShape &Shape, const uint64_t *Record,
                          const Counting &C) {
  if (!Known) {
    Known = room<uint64_t>(Shape.End);
    Checks = room<Check>(Shape.ItemCount);
    Parts = room<Part>(Shape.ItemCount);
    Anchors = room<Anchor>(Shape.ItemCount);
    LoopsIn = room<Loop>(Shape.ItemCount);
  }
  IsKnown = false;
  PartCount = AnchorCount = PartAnchors = 0;
  CheckCount = LoopCount = TallyCount = 0;
  Words = Record;
  std::copy(Record, Record + Shape.End, Known);
  for (unsigned Lag = 0; Lag < 8; ++Lag)
    Compared[Lag] = Lag < C.MaxLag ? ~uint64_t(0) : 0;
}

void NestExecution::addCheck(uint32_t Word, uint32_t Base) {
  for (uint32_t N = 0; N < CheckCount; ++N)
    if (Checks[N].Word == Word && Checks[N].Base == Base)
      return;
  if (Word != Base)
    Checks[CheckCount++] = {Word, Base, Words[Word] - Words[Base]};
}

void NestExecution::addPart(const StreamNest &Nest, Stream &S,
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

void NestExecution::addLoop(LoopCounts *Counts, uint64_t Executions,
                            uint64_t Iterations) {
  LoopsIn[LoopCount++] = {Counts, Executions, Iterations};
}

void NestExecution::flush(const Counting &C) {
  if (!Times)
    return;
  for (uint32_t N = 0; N < PartCount; ++N)
    for (uint32_t K = 0; K < Parts[N].TallyCount; ++K) {
      const Tally &T = Parts[N].Tallies[K];
      T.Hist->addTuple(C, T.Tuple, T.Weight * Times);
    }
  for (uint32_t N = 0; N < LoopCount; ++N) {
    LoopsIn[N].Counts->Executions += LoopsIn[N].Executions * Times;
    LoopsIn[N].Counts->Iterations += LoopsIn[N].Iterations * Times;
  }
  Times = 0;
}

} // namespace graupel::stride
