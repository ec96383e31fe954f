//===- stride/Repeat.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repeat.h"

namespace graupel::stride {

/// Longer patterns would cost more than they save.
static constexpr uint32_t MaxMembers = 64;

void Repeat::makeRoom(uint32_t NewEntries) {
  if (NewEntries > EntryRoom) {
    Entries = static_cast<Entry *>(allocate(NewEntries * sizeof(Entry)));
    EntryRoom = NewEntries;
  }
  EntryCount = 0;
}

void Repeat::note(const Counting &C, GroupMember &M, uint64_t Address,
                  uint64_t Weight) {
  uint64_t Tuple = Share::tuple(C, *S, Address);
  M.Hist->addTuple(C, Tuple, Weight);
  Entries[EntryCount++] = {M.Hist, Tuple};
  S->push(Address);
}

bool Repeat::remember(const Counting &C, LoopGroup &G, uint64_t NewIterations) {
  flush(C);
  S = nullptr;
  if (!G.SameStep || !G.S->isFull() || C.MaxLag > TupleLags ||
      G.Count > MaxMembers)
    return false;
  // See LoopGroup::countIterations.
  WarmUp = (C.MaxLag + G.Count - 1) / G.Count;
  if (NewIterations < WarmUp)
    return false;
  Iterations = NewIterations;
  Step = static_cast<uint64_t>(G.Members[0].Step);
  S = G.S;
  uint64_t Base = G.Members[0].Base;
  Distances = Base - S->recent();
  for (unsigned N = 0; N < TupleLags + 1; ++N)
    Counted[N] = N < C.MaxLag ? ~uint64_t(0) : 0;
  uint64_t Single = Iterations <= WarmUp + 1 ? Iterations : WarmUp;
  makeRoom((WarmUp + 1) * G.Count);
  for (uint64_t I = 0; I < Single; ++I)
    for (uint32_t N = 0; N < G.Count; ++N)
      note(C, G.Members[N], G.Members[N].at(I), 1);
  WarmUpEntries = EntryCount;
  if (Single < Iterations) {
    for (uint32_t N = 0; N < G.Count; ++N)
      note(C, G.Members[N], G.Members[N].at(Single), Iterations - Single);
    for (uint64_t I = Iterations - WarmUp; I < Iterations; ++I)
      for (uint32_t N = 0; N < G.Count; ++N)
        S->push(G.Members[N].at(I));
  }
  Tail = S->recent() - Base;
  return true;
}

// Counts that are taken back after they were written are negative; sums wrap.
void Repeat::flush(const Counting &C) {
  if (!Times && !SteadyTimes)
    return;
  for (uint32_t N = 0; N < EntryCount; ++N)
    Entries[N].Hist->addTuple(C, Entries[N].Tuple,
                              N < WarmUpEntries ? Times : SteadyTimes);
  Times = SteadyTimes = 0;
}

uint64_t Repeat::undo(uint64_t Now) {
  uint64_t Base = S->recent()[0] - Tail[0] - (Now - Iterations) * Step;
  --Times;
  SteadyTimes -= Now - WarmUp;
  S->setRecent(Base - Distances);
  return Base;
}

} // namespace graupel::stride
