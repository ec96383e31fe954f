//===- stride/ThreadNest.cpp - A thread's nests of loops ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts a nest's record that is not like an earlier one:
//
//   1. Compute the number of executions of each item.
//   2. Compute the ranges of its references. If each range is within one
//      object, split the nest by stream; each stream counts its part at once.
//   3. Otherwise, and for consumers, make all references one by one.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include <algorithm>

namespace graupel::stride {

LoopCounts *Thread::countsOf(uint32_t Loop) {
  LoopCounts *&Counts = LoopStates[Loop].Counts;
  if (Counts)
    return Counts;
  if (Sampled) {
    UsedLoops.push(Loop);
    if ((Counts = LoopTables[Part].find(Loop + 1)))
      return Counts;
  }
  Counts = static_cast<LoopCounts *>(
      R.File.append(ChunkKind::LoopCounts, sizeof(LoopCounts), true));
  if (!Counts)
    return nullptr;
  Counts->Loop = Loop;
  Counts->Thread = Number;
  Counts->LeastIterations = ~uint64_t(0);
  R.File.commit(Counts);
  if (Sampled)
    LoopTables[Part].insert(Loop + 1, Counts);
  return Counts;
}

/// A loop's counts.
bool Thread::countLoopOf(Nesting &N, const NestItem &Item,
                         const NestExtent::Extent &E) {
  if (Item.Kind != GRAUPEL_STRIDE_NEST_LOOP || !E.Executions)
    return true;
  LoopCounts *Counts = countsOf(Item.Number);
  if (!Counts)
    return false;
  Counts->LeastIterations = std::min(Counts->LeastIterations, E.Least);
  Counts->MostIterations = std::max(Counts->MostIterations, E.Most);
  if (N.Next)
    N.Next->addLoop(Counts, E.Executions, E.Iterations);
  Counts->Executions += E.Executions;
  Counts->Iterations += E.Iterations;
  return true;
}

/// Computes the number of executions of each item, and its loops' counts.
bool Thread::countNest(Nesting &N) {
  if (N.Shape->TermCount)
    return countExtents(N);
  uint64_t Executions[GRAUPEL_STRIDE_NEST_LEVELS + 1];
  Executions[N.Shape->Items[N.First].Level] = 1;
  for (uint32_t I = N.First; I < N.End; ++I) {
    const NestItem &Item = N.Shape->Items[I];
    uint64_t Times = Executions[Item.Level];
    N.Runs[I] = Times;
    if (Item.refers())
      continue;
    uint64_t Iterations = N.Words[Item.Word];
    Executions[Item.Level + 1] = Times * Iterations;
    if (Iterations && I != N.GoesOn &&
        !countLoopOf(N, Item,
                     {Times, Times * Iterations, Iterations, Iterations, 0, 0}))
      return false;
  }
  return true;
}

/// The same for a nest with terms; also computes the ranges of its references.
bool Thread::countExtents(Nesting &N) {
  const NestExtent::Extent *E = Extents.run(*N.Shape, N.Words, N.Steps, Terms);
  for (uint32_t I = 0; I < N.Shape->ItemCount; ++I) {
    N.Runs[I] = E[I].Executions;
    N.Low[I] = E[I].Low;
    N.High[I] = E[I].High;
    if (!countLoopOf(N, N.Shape->Items[I], E[I]))
      return false;
  }
  return true;
}

/// Whether each reference stays in one object, which its site has then.
bool Thread::findRanges(Nesting &N) {
  // Loops around a part have one iteration.
  uint64_t Last[GRAUPEL_STRIDE_NEST_LEVELS] = {};
  for (uint32_t I = N.First; I < N.End; ++I) {
    const NestItem &Item = N.Shape->Items[I];
    if (!Item.refers() && !Item.Term)
      Last[Item.Level] = N.Words[Item.Word] - 1;
    if (!Item.refers() || !N.Runs[I])
      continue;
    if (!N.Shape->TermCount) {
      uint64_t Low = N.Bases[I], High = Low;
      for (unsigned Level = 0; Level < Item.Level; ++Level) {
        int64_t Step = N.Steps[Item.Step + Level];
        (Step < 0 ? Low : High) += Last[Level] * static_cast<uint64_t>(Step);
      }
      N.Low[I] = Low;
      N.High[I] = High;
    }
    if (Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE &&
        !resolveRange(States[Item.Number], Item.Number, N.Low[I],
                      N.High[I] - N.Low[I] + Facts[Item.Number].Bytes))
      return false;
  }
  return true;
}

/// Counts the nest's references to a stream.
void Thread::countStream(Nesting &N, Stream &S) {
  const NestShape &Shape = *N.Shape;
  uint32_t Ends[GRAUPEL_STRIDE_NEST_LEVELS], Depth = 0;
  settle(S);
  CurrentNest.begin(&S);
  for (; Depth < Shape.Items[N.First].Level; ++Depth) {
    CurrentNest.open(1, 0);
    Ends[Depth] = N.End;
  }
  for (uint32_t I = N.First; I < N.End;) {
    const NestItem &Item = Shape.Items[I];
    for (; Depth && Ends[Depth - 1] == I; --Depth)
      CurrentNest.close();
    if (!Item.refers()) {
      const uint64_t Iterations = Item.Term ? 0 : N.Words[Item.Word];
      if (N.Runs[I] && (Iterations || Item.Term)) {
        CurrentNest.open(Iterations, Item.Term);
        Ends[Depth++] = Item.End;
        ++I;
      } else {
        I = Item.End;
      }
      continue;
    }
    SiteState &State = States[Item.Number];
    if (Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE && State.H &&
        State.S == &S) {
      CurrentNest.add(State.H, N.Bases[I], N.Steps + Item.Step, Item.Term);
      if (N.Next)
        N.Next->addReference(Item.Word, Item.Number, States, N.Low[I],
                             N.High[I]);
      N.Runs[I] = 0;
    }
    ++I;
  }
  for (; Depth; --Depth)
    CurrentNest.close();
  const Eight Before = S.recent();
  CurrentNest.run(C);
  if (!CurrentNest.isWhole())
    N.Next = nullptr;
  if (N.Next)
    N.Next->addPart(CurrentNest, S, Before);
  CurrentNest.countTallies(C);
}

/// Counts all streams, in any order.
void Thread::countStreams(Nesting &N) {
  for (uint32_t I = N.First; I < N.End; ++I) {
    const NestItem &Item = N.Shape->Items[I];
    if (Item.Kind != GRAUPEL_STRIDE_NEST_REFERENCE || !N.Runs[I])
      continue;
    SiteState &State = States[Item.Number];
    if (!State.H) {
      // The next address may be of an object that is counted.
      N.Next = nullptr;
      continue;
    }
    for (uint32_t K = I; K < N.End; ++K) {
      const SiteState &Other = States[N.Shape->Items[K].Number];
      if (N.Shape->Items[K].Kind == GRAUPEL_STRIDE_NEST_REFERENCE &&
          N.Runs[K] && Other.S == State.S && Other.H)
        Dirty.add(Other.H);
    }
    if (!N.IsSingle || !countRow(N, *State.S))
      countStream(N, *State.S);
  }
}

/// Calls `Do` for each item that refers, in program order.
template <class Function>
void Thread::walk(const Nesting &N, uint32_t Loop, bool OnlyBulk,
                  uint64_t *Addresses, Function Do) {
  const NestItem *Items = N.Shape->Items;
  const NestItem &L = Items[Loop];
  const uint64_t Iterations = Terms.iterationsOf(L);
  for (uint64_t Iteration = 0; Iteration < Iterations; ++Iteration) {
    if (L.Varies)
      Terms.setIteration(L.Level, Iteration);
    for (uint32_t I = Loop + 1; I < L.End; I = Items[I].End)
      if (Items[I].refers())
        Do(Items[I], Addresses[I] + Terms.addendOf(Items[I]));
      else if (!OnlyBulk || Items[I].HasBulk)
        walk(N, I, OnlyBulk, Addresses, Do);
    N.Shape->advance(Loop, 1, N.Steps, Addresses);
  }
  N.Shape->advance(Loop, -Iterations, N.Steps, Addresses);
}

template <class Function>
void Thread::walk(const Nesting &N, bool OnlyBulk, Function Do) {
  const NestItem *Items = N.Shape->Items;
  std::copy(N.Bases + N.First, N.Bases + N.End, N.Addresses + N.First);
  for (uint32_t I = N.First; I < N.End; I = Items[I].End)
    if (Items[I].refers())
      Do(Items[I], N.Addresses[I]);
    else if (!OnlyBulk || Items[I].HasBulk)
      walk(N, I, OnlyBulk, N.Addresses, Do);
}

void Thread::bulkOf(const Nesting &N, const NestItem &Item, uint64_t Address) {
  const uint64_t Words[] = {0, Address, N.Words[Item.Length], 0};
  bulk(Words, Item.Number);
}

/// Counts all copies and fills at once; false if one has several objects.
bool Thread::countBulks(const Nesting &N) {
  auto Each = [&](auto Do) {
    for (uint32_t I = N.First; I < N.End; ++I) {
      const NestItem &Item = N.Shape->Items[I];
      if (Item.Kind == GRAUPEL_STRIDE_NEST_BULK && N.Runs[I] &&
          N.Words[Item.Length] && Sites[Item.Number].Selected &&
          !Do(Item, I,
              findObjectOf(Item.Number, N.Low[I], StackBegin, StackEnd)))
        return false;
    }
    return true;
  };
  return Each([&](const NestItem &Item, uint32_t I, Place P) {
           uint64_t Bytes = N.High[I] - N.Low[I] + N.Words[Item.Length];
           return N.Low[I] - P.Begin < P.Bytes &&
                  Bytes <= P.Bytes - (N.Low[I] - P.Begin);
         }) &&
         Each([&](const NestItem &Item, uint32_t I, Place P) {
           countBulk(Item.Number, P.Obj, N.Runs[I],
                     N.Runs[I] * N.Words[Item.Length]);
           return true;
         });
}

void Thread::flushNests() {
  for (NestExecution *E = DirtyNests; E; E = E->NextDirty) {
    E->flush(C);
    E->IsDirty = false;
  }
  DirtyNests = nullptr;
  CurrentNest.flush(C);
}

/// Rows of triangles are all different; but now and then it is tried again
/// whether executions repeat.
template <class NestState>
static bool isSingle(const NestState &State, const NestShape &Shape) {
  constexpr uint32_t Some = 4, NowAndThen = 64;
  return Shape.IsSingle && State.Changes >= Some &&
         State.Changes % NowAndThen >= Some;
}

/// The whole nest.
Thread::Nesting Thread::nesting(const NestShape &Shape, const uint64_t *Words) {
  Nesting N{&Shape,  Words,     0,       Shape.ItemCount, NoNumber,
            nullptr, NestBases, nullptr, false,           NestRuns,
            NestLow, NestHigh,  NestLow};
  N.Steps = Shape.stepsOf(Words, NestSteps);
  for (uint32_t I = 0; I < Shape.ItemCount; ++I)
    if (const NestItem &Item = Shape.Items[I]; Item.refers())
      NestBases[I] = Words[Item.Word] + Item.Offset;
  return N;
}

__attribute__((noinline)) void Thread::nest(NestState &State, const LoopInfo &L,
                                            const uint64_t *Words) {
  const NestShape &Shape = *L.Nest;
  Nesting N = nesting(Shape, Words);
  N.IsSingle = isSingle(State, Shape);
  const bool Literal = R.Wanted.Literal;
  ++State.Changes;
  if (!Literal && !Batch && !Shape.Items[0].HasBulk && L.Selected &&
      !N.IsSingle) {
    State.Latest = State.Oldest;
    State.Oldest = (State.Oldest + 1) % NestState::Size;
    N.Next = &State.Known[State.Latest];
    N.Next->flush(C);
    N.Next->begin(Shape, Words, C);
  }
  Terms.begin(Shape, Words);
  countPart(N, L.Selected);
}

/// A nest with terms is counted as a whole.
void Thread::countPart(Nesting &N, bool Selected) {
  const NestShape &Shape = *N.Shape;
  if (!countNest(N) || !Selected)
    return;
  if (R.Wanted.Literal || !findRanges(N)) {
    walk(N, false, [&](const NestItem &Item, uint64_t Address) {
      if (Item.Kind == GRAUPEL_STRIDE_NEST_BULK)
        bulkOf(N, Item, Address);
      else
        referAlone(Item.Number, Address);
    });
    return;
  }
  countStreams(N);
  if (N.Next)
    N.Next->end();
  if (Shape.Items[0].HasBulk && !countBulks(N))
    walk(N, true, [&](const NestItem &Item, uint64_t Address) {
      if (Item.Kind == GRAUPEL_STRIDE_NEST_BULK)
        bulkOf(N, Item, Address);
    });
  if (Batch)
    walk(N, false, [&](const NestItem &Item, uint64_t Address) {
      if (Item.Kind == GRAUPEL_STRIDE_NEST_REFERENCE && States[Item.Number].H)
        emitAlone(Item.Number, Address);
    });
}

} // namespace graupel::stride
