//===- stride/Nest.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "graupel/stride_sites.h"
#include <algorithm>

namespace graupel::stride {

/// More references than lags are as good as any number.
static constexpr uint64_t Many = 1 << 20;

StreamNest::StreamNest(uint32_t MaxNodes)
    : Nodes(static_cast<Node *>(allocate(MaxNodes * sizeof(Node)))),
      Open(static_cast<uint32_t *>(
          allocate(GRAUPEL_STRIDE_NEST_LEVELS * sizeof(uint32_t)))),
      Tallies(static_cast<Tally *>(allocate(MaxTallies * sizeof(Tally)))),
      Sums(static_cast<Sum *>(allocate(sizeof(Sum) << SumBits))) {}

//===--- What it consists of ----------------------------------------------===//

void StreamNest::begin(Stream *Of) {
  S = Of;
  Count = Depth = Used = 0;
}

void StreamNest::open(uint64_t Iterations) {
  Node &N = Nodes[Count];
  N.Level = static_cast<uint16_t>(Depth);
  N.IsLoop = true;
  N.Iterations = Iterations;
  Open[Depth++] = Count++;
}

void StreamNest::close() {
  uint32_t Number = Open[--Depth];
  if (Number + 1 == Count) {
    Count = Number;
    return;
  }
  Node &L = Nodes[Number];
  L.End = Count;
  L.SameStep = true;
  L.References = 0;
  const Node *First = nullptr;
  for (uint32_t N = Number + 1; N < Count; ++N) {
    const Node &Each = Nodes[N];
    if (Each.Level == L.Level + 1)
      L.References += Each.IsLoop ? std::min(Each.Iterations, Many) *
                                        std::min(Each.References, Many)
                                  : 1;
    if (Each.IsLoop)
      continue;
    if (!First)
      First = &Each;
    L.SameStep &= Each.Steps[L.Level] == First->Steps[L.Level];
  }
  L.References = std::min(L.References, Many);
  L.Step = First->Steps[L.Level];
}

void StreamNest::add(Share *Of, uint64_t Base, const int64_t *Steps) {
  Node &N = Nodes[Count++];
  N.End = Count;
  N.Level = static_cast<uint16_t>(Depth);
  N.IsLoop = false;
  N.Of = Of;
  N.Address = Base;
  N.Steps = Steps;
}

//===--- Counting ---------------------------------------------------------===//

GRAUPEL_HOT static uint64_t signsOf(const Stream &S, uint64_t Address) {
  auto Back = reinterpret_cast<SignedEight>(Address - S.recent()) < 0;
  return std::bit_cast<uint64_t>(__builtin_convertvector(Back, Bytes8));
}

GRAUPEL_HOT void StreamNest::count(const Counting &C, Node &N,
                                   uint64_t Weight) {
  if (!ByTallies) {
    N.Of->count(C, *S, N.Address, Weight);
  } else {
    if (__builtin_expect(Used == MaxTallies, false) && !Trying)
      countTallies(C);
    if (__builtin_expect(Used == MaxTallies, false))
      Failed = true;
    else
      Tallies[Used++] = {N.Of, Share::tuple(C, *S, N.Address),
                         signsOf(*S, N.Address), Weight};
  }
  S->push(N.Address);
}

__attribute__((noinline)) void StreamNest::countTallies(const Counting &C) {
  for (uint32_t N = 0; N < Used; ++N) {
    const Tally &T = Tallies[N];
    uint64_t Hash =
        (T.Tuple ^ reinterpret_cast<uint64_t>(T.Of) << 5) * 0x9e3779b97f4a7c15;
    Sum &To = Sums[Hash >> (64 - SumBits)];
    if (To.Of != T.Of || To.Tuple != T.Tuple) {
      if (To.Of)
        To.Of->addTuple(C, To.Tuple, To.Weight);
      To = {T.Of, T.Tuple, 0};
    }
    To.Weight += T.Weight;
  }
  HasSums |= Used != 0;
  Whole = false;
  Used = 0;
  ++Emptied;
}

void StreamNest::flush(const Counting &C) {
  for (uint32_t N = 0; HasSums && N >> SumBits == 0; ++N)
    if (Sums[N].Of) {
      Sums[N].Of->addTuple(C, Sums[N].Tuple, Sums[N].Weight);
      Sums[N].Of = nullptr;
    }
  HasSums = false;
}

void StreamNest::advance(uint32_t Loop, uint64_t Iterations) {
  uint16_t Level = Nodes[Loop].Level;
  for (uint32_t N = Loop + 1; N < Nodes[Loop].End; ++N)
    if (!Nodes[N].IsLoop)
      Nodes[N].Address +=
          Iterations * static_cast<uint64_t>(Nodes[N].Steps[Level]);
}

// Compiled for several processors, with all that it calls for each reference.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) void
StreamNest::body(const Counting &C, uint32_t Loop, uint64_t Weight) {
  for (uint32_t N = Loop + 1; N < Nodes[Loop].End; N = Nodes[N].End)
    if (!Nodes[N].IsLoop)
      count(C, Nodes[N], Weight);
    else if (Nodes[N].Iterations == 1)
      body(C, N, Weight);
    else if (Nodes[N].SameStep)
      loop(C, N, Weight);
    else
      varyingLoop(C, N, Weight);
}

void StreamNest::loop(const Counting &C, uint32_t Loop, uint64_t Weight) {
  const Node &L = Nodes[Loop];
  uint64_t WarmUp = (C.MaxLag + L.References - 1) / L.References;
  uint64_t Single = L.Iterations <= WarmUp + 1 ? L.Iterations : WarmUp;
  for (uint64_t I = 0; I < Single; ++I) {
    body(C, Loop, Weight);
    advance(Loop, 1);
  }
  if (uint64_t Rest = L.Iterations - Single) {
    body(C, Loop, Weight * Rest);
    S->move((Rest - 1) * static_cast<uint64_t>(L.Step));
    advance(Loop, Rest);
  }
  advance(Loop, -L.Iterations);
}

/// Tries to count the iterations that follow one whose tallies are from `Begin`
/// on and whose history was `Before` by these. How many it did.
uint64_t StreamNest::jump(const Counting &C, uint32_t Loop, uint64_t Weight,
                          uint32_t Begin, const Eight &Before, uint64_t Left) {
  const Eight After = S->recent();
  const uint32_t End = Used;
  const bool WasTrying = Trying, HadFailed = Failed;
  uint64_t Did = 0;
  Trying = true;
  for (uint64_t Ahead = Left; Ahead; Ahead /= 4) {
    Failed = false;
    S->setRecent(After + (Ahead - 1) * (After - Before));
    advance(Loop, Ahead - 1);
    body(C, Loop, Weight);
    bool Same = !Failed && Used - End == End - Begin;
    for (uint32_t N = Begin; Same && N < End; ++N)
      Same = Tallies[N].isLike(Tallies[N - Begin + End]);
    Used = End;
    if (Same) {
      advance(Loop, 1);
      for (uint32_t N = Begin; N < End; ++N)
        Tallies[N].Weight *= Ahead + 1;
      Did = Ahead;
      break;
    }
    advance(Loop, -(Ahead - 1));
    if (Failed)
      break;
  }
  if (!Did)
    S->setRecent(After);
  Trying = WasTrying;
  Failed = HadFailed;
  return Did;
}

void StreamNest::varyingLoop(const Counting &C, uint32_t Loop,
                             uint64_t Weight) {
  const Node &L = Nodes[Loop];
  uint64_t WarmUp = (C.MaxLag + L.References - 1) / L.References;
  // After tries that failed, some iterations are made without.
  uint64_t Patience = 0, Next = WarmUp;
  for (uint64_t I = 0; I < L.Iterations; ++I) {
    // Room for the tries.
    if (Used > MaxTallies / 2 && !Trying)
      countTallies(C);
    const uint32_t Begin = Used, WasEmptied = Emptied;
    const Eight Before = S->recent();
    body(C, Loop, Weight);
    advance(Loop, 1);
    if (!ByTallies || I < Next || I + 2 >= L.Iterations ||
        Emptied != WasEmptied)
      continue;
    if (uint64_t Did =
            jump(C, Loop, Weight, Begin, Before, L.Iterations - 1 - I)) {
      I += Did;
      Patience = 0;
    } else {
      Patience = std::min<uint64_t>(2 * Patience + 1, 63);
      Next = I + 1 + Patience;
    }
  }
  advance(Loop, -L.Iterations);
}

void StreamNest::run(const Counting &C) {
  ByTallies = S->isFull() && C.MaxLag <= TupleLags;
  Whole = ByTallies;
  if (Nodes[0].Iterations == 1)
    body(C, 0, 1);
  else if (Nodes[0].SameStep)
    loop(C, 0, 1);
  else
    varyingLoop(C, 0, 1);
  if (!Whole)
    countTallies(C);
}

} // namespace graupel::stride
