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

void Repeat::makeRoom(uint32_t NewEntries, uint32_t Addresses) {
  if (NewEntries > EntryRoom) {
    Entries = static_cast<Entry *>(allocate(NewEntries * sizeof(Entry)));
    EntryRoom = NewEntries;
  }
  if (Addresses > TailRoom) {
    Tail = static_cast<uint64_t *>(allocate(Addresses * sizeof(uint64_t)));
    TailRoom = Addresses;
  }
  EntryCount = TailCount = 0;
}

void Repeat::note(const Counting &C, GroupMember &M, uint64_t Address,
                  uint64_t Weight) {
  uint64_t Tuple = Share::tuple(C, *S, Address);
  M.Of->addTuple(C, Tuple, Weight);
  Entries[EntryCount++] = {M.Of, Tuple, Weight};
  S->push(Address);
}

bool Repeat::remember(const Counting &C, LoopGroup &G, uint64_t Iterations) {
  flush(C);
  S = nullptr;
  if (!G.SameStep || !G.S->isFull() || C.MaxLag > TupleLags ||
      G.Count > MaxMembers)
    return false;
  S = G.S;
  Lags = C.MaxLag;
  uint64_t Base = G.Members[0].Base;
  for (unsigned N = 0; N < Lags; ++N)
    Distances[N] = Base - S->history()[N];
  // See LoopGroup::countIterations.
  uint64_t WarmUp = (Lags + G.Count - 1) / G.Count;
  uint64_t Single = Iterations <= WarmUp + 1 ? Iterations : WarmUp;
  makeRoom((WarmUp + 1) * G.Count, (WarmUp + 1) * G.Count);
  for (uint64_t I = 0; I < Single; ++I)
    for (uint32_t N = 0; N < G.Count; ++N)
      note(C, G.Members[N], G.Members[N].at(I), 1);
  if (Single < Iterations)
    for (uint32_t N = 0; N < G.Count; ++N)
      note(C, G.Members[N], G.Members[N].at(Single), Iterations - Single);
  for (uint64_t I = Iterations > WarmUp ? Iterations - WarmUp : 0;
       I < Iterations; ++I)
    for (uint32_t N = 0; N < G.Count; ++N) {
      uint64_t Address = G.Members[N].at(I);
      Tail[TailCount++] = Address - Base;
      // In a short loop it has been entered already.
      if (Single < Iterations)
        S->push(Address);
    }
  return true;
}

void Repeat::flush(const Counting &C) {
  if (!Times)
    return;
  for (uint32_t N = 0; N < EntryCount; ++N)
    Entries[N].Of->addTuple(C, Entries[N].Tuple, Entries[N].Weight * Times);
  Times = 0;
}

} // namespace graupel::stride
