//===- Stache/Home.cpp - Blocks at their home -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the HOME rows of the table.
//
// 1. raise: run the row for an event at a block. If that leaves a block
//    Exclusive on a page that is being evacuated, go on there (FirstTouch.cpp).
// 2. step: find the row whose guard holds. A new event is deferred behind
//    others that wait in a state that defers nothing, unless the row only
//    resumes.
// 3. Enter the row's next state and perform its actions in order. Each action
//    is a line of those announced in Transitions.def; none changes a state.
// 4. defer appends the event to the block's list. stall puts it first, until a
//    thread releases the block. resume removes the faults of home's threads
//    that are now permitted, and resumes the threads.
// 5. settle: raise deferred events, oldest first, until a state defers. After
//    Resume this is left to a message to itself, after Stall to the release.
//
//===----------------------------------------------------------------------===//

#include "Stache/Node.h"
#include <bit>
#include <utility>

namespace graupel::dsm::stache {

namespace {

/// One event at one block.
struct Occasion {
  Node &N;
  HomePage &P;
  HomeBlock &B;
  uintptr_t Address;
  HomeEvent Event;
  unsigned From;

  void *block() const { return pointer(Address); }
  size_t size() const { return P.BlockSize; }
};

bool isHeld(const Occasion &O) { return tempest_is_held(O.block()); }

bool holds(Guard When, const Occasion &O) {
  bool Last = O.B.Nodes == only(O.From); // Also: it is the only sharer.
  bool Sharer = O.B.Nodes & only(O.From);
  switch (When) {
  case Guard::Always:
    return true;
  case Guard::Held:
    return isHeld(O);
  case Guard::Free:
    return !isHeld(O);
  case Guard::More:
    return !Last;
  case Guard::Last:
    return Last;
  case Guard::LastHeld:
  case Guard::AloneHeld:
    return Last && isHeld(O);
  case Guard::LastFree:
  case Guard::AloneFree:
    return Last && !isHeld(O);
  case Guard::Stranger:
    return !Sharer;
  case Guard::Others:
    return Sharer && !Last;
  case Guard::Count:
    break;
  }
  return false;
}

/// Contents to the requester, and what becomes of the tag here.
void sendBlock(const Occasion &O, unsigned To, Kind K, tempest_change Change) {
  tempest_message M;
  tempest_begin(&M, int(To), O.N.Handlers[size_t(K)]);
  tempest_put_word(&M, O.Address);
  tempest_put_blocks(&M, O.block(), O.size(), Change);
  tempest_send(&M);
}

/// The contents that have just arrived.
void forwardBlock(const Occasion &O, unsigned To, Kind K) {
  tempest_message M;
  tempest_begin(&M, int(To), O.N.Handlers[size_t(K)]);
  tempest_put_word(&M, O.Address);
  tempest_put_forward(&M, O.size());
  tempest_send(&M);
}

void recallSharers(const Occasion &O) {
  O.B.Requester = uint8_t(O.From);
  O.B.Nodes &= ~only(O.From);
  for (NodeSet Left = O.B.Nodes; Left; Left &= Left - 1) {
    send(O.N, unsigned(std::countr_zero(Left)), Kind::InvalidateRO,
         {O.Address});
    ++O.N.Counts.InvalidateRO;
  }
}

void recallOwner(const Occasion &O, Kind K, uint64_t &Count) {
  O.B.Requester = uint8_t(O.From);
  send(O.N, unsigned(std::countr_zero(O.B.Nodes)), K, {O.Address});
  ++Count;
}

uint16_t newDeferred(const Occasion &O, uint16_t Next) {
  std::vector<Deferred> &Pool = O.N.Pool;
  uint16_t Entry = O.N.FreeDeferred;
  if (Entry) {
    O.N.FreeDeferred = Pool[Entry].Next;
  } else {
    if (Pool.size() > UINT16_MAX)
      tempest_fatal("more than %zu requests wait for blocks of node %d at a "
                    "time; ask for fewer threads per node",
                    Pool.size() - 1, O.N.Self);
    Entry = uint16_t(Pool.size());
    Pool.emplace_back();
  }
  Pool[Entry] = {O.Event, uint8_t(O.From), Next};
  return Entry;
}

/// Appends the event to the block's, unless a thread of this node waits for the
/// same already.
void defer(const Occasion &O) {
  std::vector<Deferred> &Pool = O.N.Pool;
  if (O.From == unsigned(O.N.Self))
    for (uint16_t I = O.B.First; I; I = Pool[I].Next)
      if (Pool[I].Requester == O.From && Pool[I].Event == O.Event)
        return;
  uint16_t Entry = newDeferred(O, 0);
  (O.B.First ? Pool[O.B.Last].Next : O.B.First) = Entry;
  O.B.Last = Entry;
  ++O.N.Counts.Deferred;
}

void stall(const Occasion &O) {
  ++O.N.Counts.Stalled;
  if (O.Event == HomeEvent::Ack) {
    O.N.StalledEvents.push_back(
        {Node::Stalled::Ack, {}, uint8_t(O.From), O.Address});
    return;
  }
  O.B.First = newDeferred(O, O.B.First);
  if (!O.N.Pool[O.B.First].Next)
    O.B.Last = O.B.First;
  O.B.Stalled = true;
  O.N.StalledEvents.push_back({Node::Stalled::Deferred, {}, 0, O.Address});
}

Deferred takeDeferred(Node &N, HomeBlock &B) {
  uint16_t Entry = B.First;
  Deferred D = N.Pool[Entry];
  B.First = D.Next;
  N.Pool[Entry].Next = N.FreeDeferred;
  N.FreeDeferred = Entry;
  return D;
}

/// Home's threads go on; left behind, what they asked for would later take the
/// block from others for nobody.
void resume(const Occasion &O) {
  std::vector<Deferred> &Pool = O.N.Pool;
  bool MayStore = O.B.State == HomeState::Exclusive;
  uint16_t Last = 0;
  for (uint16_t *Link = &O.B.First; *Link;) {
    uint16_t Entry = *Link;
    Deferred &D = Pool[Entry];
    if (D.Event == HomeEvent::HomeLoad ||
        (D.Event == HomeEvent::HomeStore && MayStore)) {
      *Link = D.Next;
      D.Next = std::exchange(O.N.FreeDeferred, Entry);
    } else {
      Last = Entry;
      Link = &D.Next;
    }
  }
  O.B.Last = Last;
  tempest_resume(O.block(), O.size());
}

void perform(HomeAction A, const Occasion &O) {
  switch (A) {
  case HomeAction::None:
  case HomeAction::Wait:
    return;
  case HomeAction::ShareOwn:
    O.B.Nodes = only(O.From);
    return sendBlock(O, O.From, Kind::DataRO, TEMPEST_READ_WRITE_TO_READ_ONLY);
  case HomeAction::Share:
    O.B.Nodes |= only(O.From);
    return sendBlock(O, O.From, Kind::DataRO, TEMPEST_NO_CHANGE);
  case HomeAction::GiveOwn:
    O.B.Nodes = only(O.From);
    return sendBlock(O, O.From, Kind::DataRW, TEMPEST_READ_WRITE_TO_INVALID);
  case HomeAction::Give:
    O.B.Nodes = only(O.B.Requester);
    return sendBlock(O, O.B.Requester, Kind::DataRW,
                     TEMPEST_READ_ONLY_TO_INVALID);
  case HomeAction::Approve: {
    unsigned To = O.Event == HomeEvent::Ack ? O.B.Requester : O.From;
    O.B.Nodes = only(To);
    tempest_change_blocks(O.block(), O.size(), TEMPEST_READ_ONLY_TO_INVALID);
    return send(O.N, To, Kind::UpgradeOK, {O.Address});
  }
  case HomeAction::RecallSharers:
    return recallSharers(O);
  case HomeAction::RecallOwner:
    return recallOwner(O, Kind::InvalidateRW, O.N.Counts.InvalidateRW);
  case HomeAction::DowngradeOwner:
    return recallOwner(O, Kind::Downgrade, O.N.Counts.Downgrades);
  case HomeAction::DropSharer:
    O.B.Nodes &= ~only(O.From);
    return;
  case HomeAction::RelayShared:
    O.B.Nodes = only(O.B.Requester);
    forwardBlock(O, O.B.Requester, Kind::DataRO);
    return tempest_get_blocks(O.block(), O.size(),
                              TEMPEST_INVALID_TO_READ_ONLY);
  case HomeAction::RelayExclusive:
    O.B.Nodes = only(O.B.Requester);
    return forwardBlock(O, O.B.Requester, Kind::DataRW);
  case HomeAction::TakeBack:
    O.B.Nodes = 0;
    return tempest_get_blocks(O.block(), O.size(),
                              TEMPEST_INVALID_TO_READ_WRITE);
  case HomeAction::CopyBack:
    return tempest_get_blocks(O.block(), O.size(),
                              TEMPEST_INVALID_TO_READ_ONLY);
  case HomeAction::Reclaim:
    O.B.Nodes = 0;
    return tempest_change_blocks(O.block(), O.size(),
                                 TEMPEST_READ_ONLY_TO_READ_WRITE);
  case HomeAction::Resume:
    return resume(O);
  case HomeAction::Defer:
    return defer(O);
  case HomeAction::Stall:
    return stall(O);
  case HomeAction::Count:
    break;
  }
}

void count(Node &N, HomeEvent Event, const HomeRow &R) {
  if (R.Actions[0] == HomeAction::Resume)
    return;
  if (Event == HomeEvent::HomeLoad)
    ++N.Counts.LoadFaults;
  if (Event == HomeEvent::HomeStore)
    ++N.Counts.StoreFaults;
}

/// Runs the row for one event. A fresh one does not overtake those that wait.
/// Returns the row's first action, or Defer.
HomeAction step(Node &N, HomePage &P, unsigned Index, HomeEvent Event,
                unsigned From, bool Fresh) {
  HomeBlock &B = P.blocks()[Index];
  Occasion O{N, P, B, P.blockAt(Index), Event, From};
  bool OthersWait = Fresh && B.First && isStable(B.State);
  for (const HomeRow &R : N.Rules->Home.rows(B.State, Event)) {
    if (!holds(R.When, O))
      continue;
    count(N, Event, R);
    if (OthersWait && R.Actions[0] != HomeAction::Resume) {
      defer(O);
      return HomeAction::Defer;
    }
    B.State = R.Next;
    for (HomeAction A : R.Actions)
      perform(A, O);
    return R.Actions[1] == HomeAction::Resume ? R.Actions[1] : R.Actions[0];
  }
  impossible(HomeEventNames[size_t(Event)], HomeStateNames[size_t(B.State)],
             O.Address, From);
}

/// Handles the deferred events that the state permits, after an action.
void settle(Node &N, HomePage &P, unsigned Index, HomeAction Last) {
  HomeBlock &B = P.blocks()[Index];
  while (B.First && isStable(B.State)) {
    if (Last == HomeAction::Stall)
      return;
    if (Last == HomeAction::Resume) {
      B.ReplayPosted = true;
      return send(N, unsigned(N.Self), Kind::Replay, {P.blockAt(Index)});
    }
    Deferred D = takeDeferred(N, B);
    Last = step(N, P, Index, D.Event, D.Requester, false);
  }
}

} // namespace

void replay(Node &N, HomePage &P, unsigned Index) {
  P.blocks()[Index].ReplayPosted = P.blocks()[Index].Stalled = false;
  settle(N, P, Index, HomeAction::None);
}

void raise(Node &N, HomePage &P, unsigned Index, HomeEvent Event,
           unsigned From) {
  HomeBlock &B = P.blocks()[Index];
  HomeAction Last = step(N, P, Index, Event, From, true);
  if (P.Evacuating && B.State == HomeState::Exclusive)
    return evacuate(N, P);
  if (B.First && !B.ReplayPosted && !B.Stalled)
    settle(N, P, Index, Last);
}

} // namespace graupel::dsm::stache
