//===- unit/dsm/SimThreads.cpp - What simulated threads do ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTempest.h"
#include <algorithm>
#include <utility>

namespace graupel::test {

namespace {

/// Steps that one operation may take before it counts as never ending. The
/// longest seen in 10^8 operations of the unbroken protocol are below a tenth.
constexpr uint64_t Patience = 2'000'000;

/// Retries before a thread holds what it gets, as the runtime does.
constexpr unsigned FailuresBeforeHolding = 3;

bool tagPermits(uint8_t Tag, bool Store) {
  return Store ? Tag == TEMPEST_READ_WRITE : !(Tag & 0x80);
}

} // namespace

bool Simulation::permits(Node &N, const Item &I) {
  Memory &M = N.Pages[(I.Address - Base) / TEMPEST_PAGE_SIZE];
  return M.Mapped && !M.Closed && tagPermits(M.tag(I.Address), I.Store);
}

bool Simulation::isHeld(const Node &N, uintptr_t Block) {
  for (const Thread &T : N.Threads) {
    if (!T.Holding)
      continue;
    unsigned Got = T.State == ThreadState::Valid ? T.Count : T.Next;
    for (unsigned I = 0; I < T.Count; ++I)
      if (blockOf(T.Items[I].Address) == Block &&
          (I < Got || (I == Got && permits(const_cast<Node &>(N), T.Items[I]))))
        return true;
  }
  return false;
}

bool Simulation::mayGenerate(const Node &N, int Thread) const {
  return Running && Done < Wanted && !Changing && N.Parallel == Parallel &&
         (Parallel || Thread == 0 || !Options.PhaseLength);
}

void Simulation::generate(Node &, Thread &T) {
  T = {};
  T.Since = Steps;
  // Later phases reach pages that nobody has touched.
  unsigned Reach = Options.Pages;
  if (Options.PhaseLength)
    Reach = unsigned(
        std::min<uint64_t>(Options.Pages, 2 + Done / Options.PhaseLength));
  auto RandomItem = [&]() -> Item {
    uintptr_t Page = Dice.below(Reach), Word = Dice.below(Options.WordsPerPage);
    // Spread over the page's blocks, two words each at most.
    uintptr_t Offset =
        (Word / 2 * Options.Block + Word % 2 * 4) % TEMPEST_PAGE_SIZE;
    return {Base + Page * TEMPEST_PAGE_SIZE + Offset, Dice.oneIn(3)};
  };
  T.Items[0] = RandomItem();
  if (Dice.oneIn(16)) {
    // A range: a word of each of so many blocks.
    T.Count = uint8_t(2 + Dice.below(MaxItems - 1));
    bool Store = Dice.oneIn(3), Mixed = Dice.oneIn(4);
    for (unsigned I = 0; I < T.Count; ++I)
      T.Items[I] = {Base + (T.Items[0].Address - Base + I * Options.Block) %
                               (Reach * TEMPEST_PAGE_SIZE),
                    Mixed ? Dice.oneIn(3) : Store};
  } else {
    T.Count = uint8_t(Dice.oneIn(4) ? 2 + Dice.below(3) : 1);
    for (unsigned I = 1; I < T.Count; ++I)
      T.Items[I] = RandomItem();
  }
  T.State = ThreadState::Acquiring;
}

/// Ascending blocks, each with the strongest access that the thread wants.
void Simulation::enterHolding(Thread &T) {
  ++Holds;
  T.Holding = true;
  std::sort(T.Items, T.Items + T.Count, [&](const Item &A, const Item &B) {
    uintptr_t X = blockOf(A.Address), Y = blockOf(B.Address);
    return X != Y ? X < Y : A.Store > B.Store;
  });
}

/// A step of a thread that acquires its set; false if it can only wait.
bool Simulation::acquire(int Index, Thread &T) {
  Node &N = current();
  bool DidSomething = false;
  if (settleFaults(Index, T, DidSomething))
    return DidSomething;
  if (T.Out < (T.Holding ? 1u : Options.AtATime) && lookFurther(N, T))
    return true;
  if (T.Out) {
    // The runtime may tell of a fault twice.
    if (!Running || !NonEmpty || !Dice.oneIn(64))
      return false;
    unsigned I = unsigned(Dice.below(T.Count));
    if (T.Items[I].Fault != Item::Waiting)
      return false;
    ++Spurious;
    T.Items[I].Fault = Item::Faulted;
    return true;
  }
  // All has been there, but maybe not at the same time.
  T.Next = 0;
  if (std::all_of(T.Items, T.Items + T.Count,
                  [&](const Item &I) { return permits(N, I); }))
    T.State = ThreadState::Valid;
  else if (++T.Failures > FailuresBeforeHolding)
    enterHolding(T);
  return true;
}

/// What has been asked for comes first. Returns whether that was the step.
bool Simulation::settleFaults(int Index, Thread &T, bool &DidSomething) {
  for (unsigned I = 0; I < T.Count; ++I) {
    if (T.Items[I].Fault != Item::Resumed)
      continue;
    --T.Out;
    T.Items[I].Fault = Item::NotAsked;
    if (!permits(current(), T.Items[I]))
      refuse(T, I);
  }
  for (unsigned I = 0; I < T.Count; ++I) {
    if (T.Items[I].Fault != Item::Faulted)
      continue;
    DidSomething = !current().InHandler;
    if (DidSomething)
      dispatchFault(Index, T, I);
    return true;
  }
  return false;
}

/// To the next item that is refused, if there is one.
bool Simulation::lookFurther(Node &N, Thread &T) {
  while (T.Next < T.Count && (T.Items[T.Next].Fault != Item::NotAsked ||
                              permits(N, T.Items[T.Next])))
    ++T.Next;
  if (T.Next == T.Count)
    return false;
  refuse(T, T.Next);
  if (!T.Holding)
    ++T.Next;
  return true;
}

void Simulation::refuse(Thread &T, unsigned Index) {
  Item &I = T.Items[Index];
  Memory *M = page(I.Address);
  I.FaultTag = M->Mapped ? M->tag(I.Address) : uint8_t(TEMPEST_INVALID);
  I.Fault = Item::Faulted;
  MostAtATime = std::max(MostAtATime, unsigned(++T.Out));
}

void Simulation::dispatchFault(int Node, Thread &T, unsigned Index) {
  ++Faults;
  T.Items[Index].Fault = Item::Waiting;
  Item I = T.Items[Index];
  runHandler(Node, [&] {
    struct Node &N = current();
    Memory *M = page(I.Address);
    void *Address = reinterpret_cast<void *>(I.Address);
    if (!M->Mapped || M->Closed)
      return N.PageFault(Address, 0, I.Store);
    // The runtime may tell of the tag of the fault or of the one of now.
    uint8_t Tag = Dice.oneIn(2) ? I.FaultTag : M->tag(I.Address);
    auto Handler = N.fault(M->Info.mode, Tag, I.Store);
    if (!Handler)
      fail("no handler for mode %d, tag %#x", M->Info.mode, Tag);
    Handler(Address, M->Info.user_pointer, M->Info.home);
  });
}

/// An item that keeps its thread from going on.
const Simulation::Item &Simulation::unfinished(const Thread &T) const {
  for (unsigned I = 0; I < T.Count; ++I)
    if (T.Items[I].Fault != Item::NotAsked)
      return T.Items[I];
  return T.Items[T.Next % MaxItems];
}

void Simulation::checkAccess(int Node, const Item &I) {
  for (int Other = 0; Other < Options.Nodes; ++Other) {
    if (Other == Node)
      continue;
    tempest_tag Tag = tagAt(Other, I.Address);
    if (Tag == TEMPEST_READ_WRITE || (I.Store && Tag == TEMPEST_READ_ONLY))
      fail("node %d %s %#zx, and node %d has tag %#x for it", Node,
           I.Store ? "stores to" : "loads", size_t(I.Address), Other, Tag);
  }
}

/// One access of those that are valid; the last one polls.
void Simulation::accessItems(int Node, Thread &T) {
  Item I = T.Items[T.Next];
  uint32_t &Word = page(I.Address)->word(I.Address);
  checkAccess(Node, I);
  if (I.Store)
    latest(I.Address) = Word = NextValue++;
  else if (Word != latest(I.Address))
    fail("node %d loads %#x from %#zx, where %#x was stored last", Node, Word,
         size_t(I.Address), latest(I.Address));
  if (++T.Next == T.Count)
    finish(current(), T);
}

void Simulation::finish(Node &N, Thread &T) {
  if (T.Holding)
    N.ReleasePending = true;
  T.State = ThreadState::Idle;
  T.Holding = false;
  ++Done;
}

void Simulation::resume(uintptr_t A, size_t Length) {
  for (Thread &T : current().Threads)
    for (unsigned I = 0; I < T.Count; ++I)
      if (T.Items[I].Fault == Item::Waiting &&
          T.Items[I].Address - A < Length) {
        T.Items[I].Fault = Item::Resumed;
        ++Retries;
      }
}

bool Simulation::tryThread(int Index, int ThreadIndex) {
  int Before = std::exchange(Here, Index);
  Node &N = current();
  Thread &T = N.Threads[size_t(ThreadIndex)];
  bool DidSomething = true;
  if (T.State != ThreadState::Idle && Steps - T.Since > Patience)
    fail("an operation does not end: %s %#zx, state %d",
         unfinished(T).Store ? "store to" : "load of",
         size_t(unfinished(T).Address), int(T.State));
  switch (T.State) {
  case ThreadState::Idle:
    if (mayGenerate(N, ThreadIndex))
      generate(N, T);
    else
      DidSomething = enterPhase(Index);
    break;
  case ThreadState::Acquiring:
    DidSomething = acquire(Index, T);
    break;
  case ThreadState::Valid:
    accessItems(Index, T);
    break;
  }
  Here = Before;
  return DidSomething;
}

} // namespace graupel::test
