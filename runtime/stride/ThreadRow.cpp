//===- stride/ThreadRow.cpp - Single loops that do not repeat -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a triangle: each loop has another number of iterations. The first
// references of such a loop wait, like any reference. Once the history is only
// of the loop, all iterations count the same, which depends only on the step.
// The last references wait again, uncounted, as history for those that follow.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

namespace graupel::stride {

/// One stream's part of a loop.
struct Thread::Row {
  static constexpr uint32_t Most = 8;
  struct {
    Share *Hist;
    uint64_t Base;
  } Members[Most];
  uint32_t Count = 0;
  int64_t Step = 0;
  uint64_t Iterations = 0;

  uint64_t at(uint32_t Member, uint64_t Iteration) const {
    return Members[Member].Base + Iteration * static_cast<uint64_t>(Step);
  }
};

/// Puts an address behind those that wait.
GRAUPEL_HOT void Thread::wait(Stream &S, Share *Hist, uint64_t Address) {
  if (__builtin_expect(S.Next >= S.End, false))
    makeRoom(S);
  *S.Next = Address;
  S.Next[Stream::ShareAt] = reinterpret_cast<uint64_t>(Hist);
  ++S.Next;
}

/// Counts all iterations after the first ones at once.
void Thread::countSteady(const Row &L, uint64_t WarmUp) {
  for (uint32_t N = 0; N < L.Count; ++N) {
    uint64_t Address = L.at(N, WarmUp), Before[TupleLags];
    uint64_t Iteration = WarmUp;
    for (uint32_t Lag = 0, Member = N; Lag < C.MaxLag; ++Lag) {
      Iteration -= Member == 0;
      Member = (Member ? Member : L.Count) - 1;
      Before[Lag] = L.at(Member, Iteration);
    }
    Share *Hist = L.Members[N].Hist;
    Dirty.add(Hist);
    Hist->countTuple(C, Share::tuple(C, Before, Address),
                     L.Iterations - WarmUp);
  }
}

/// Counts the references to a stream of a nest that is one loop; false if that
/// has to be done in another way.
bool Thread::countRow(Nesting &N, Stream &S) {
  Row L;
  L.Iterations = N.Words[N.Shape->Items[0].Word];
  uint32_t Which[Row::Most];
  if (!S.isFull() || !canWait(C))
    return false;
  for (uint32_t I = 1; I < N.Shape->ItemCount; ++I) {
    const NestItem &Item = N.Shape->Items[I];
    const SiteState &State = States[Item.Number];
    if (!N.Runs[I] || State.S != &S || !State.H)
      continue;
    if (L.Count == Row::Most || (L.Count && N.Steps[Item.Step] != L.Step))
      return false;
    L.Step = N.Steps[Item.Step];
    Which[L.Count] = I;
    L.Members[L.Count++] = {State.H, N.Bases[I]};
  }
  const uint64_t WarmUp = (C.MaxLag + L.Count - 1) / L.Count;
  auto Wait = [&](uint64_t From, uint64_t To, bool IsCounted) {
    for (uint64_t I = From; I < To; ++I)
      for (uint32_t M = 0; M < L.Count; ++M)
        wait(S, IsCounted ? L.Members[M].Hist : ForNothing, L.at(M, I));
  };
  if (L.Iterations <= 2 * WarmUp) {
    Wait(0, L.Iterations, true);
  } else {
    Wait(0, WarmUp, true);
    countSteady(L, WarmUp);
    Wait(L.Iterations - WarmUp, L.Iterations, false);
  }
  for (uint32_t M = 0; M < L.Count; ++M)
    N.Runs[Which[M]] = 0;
  return true;
}

} // namespace graupel::stride
