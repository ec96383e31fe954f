//===- Stache/Home.cpp - Blocks at their home -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the HOME rows of the table. Each action is a line of what is announced
// in Transitions.def; none changes a state.
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

void recallOwner(const Occasion &O) {
  O.B.Requester = uint8_t(O.From);
  send(O.N, unsigned(std::countr_zero(O.B.Nodes)), Kind::InvalidateRW,
       {O.Address});
  ++O.N.Counts.InvalidateRW;
}

/// Appends the event to the block's, unless a thread of this node waits for the
/// same already.
void defer(const Occasion &O) {
  std::vector<Deferred> &Pool = O.N.Pool;
  if (O.From == unsigned(O.N.Self))
    for (uint16_t I = O.B.First; I; I = Pool[I].Next)
      if (Pool[I].Requester == O.From && Pool[I].Event == O.Event)
        return;
  uint16_t Entry = O.N.FreeDeferred;
  if (Entry) {
    O.N.FreeDeferred = Pool[Entry].Next;
  } else {
    Entry = uint16_t(Pool.size());
    Pool.emplace_back();
  }
  Pool[Entry] = {O.Event, uint8_t(O.From), 0};
  (O.B.First ? Pool[O.B.Last].Next : O.B.First) = Entry;
  O.B.Last = Entry;
  ++O.N.Counts.Deferred;
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
    return recallOwner(O);
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
  case HomeAction::Reclaim:
    O.B.Nodes = 0;
    return tempest_change_blocks(O.block(), O.size(),
                                 TEMPEST_READ_ONLY_TO_READ_WRITE);
  case HomeAction::Resume:
    return resume(O);
  case HomeAction::Defer:
    return defer(O);
  case HomeAction::Stall:
    O.N.StalledEvents.push_back(
        {O.Address, true, O.Event, {}, uint8_t(O.From)});
    ++O.N.Counts.Stalled;
    return;
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

/// Runs the row for one event. True if threads of this node were resumed.
bool step(Node &N, HomePage &P, unsigned Index, HomeEvent Event,
          unsigned From) {
  HomeBlock &B = P.blocks()[Index];
  Occasion O{N, P, B, P.blockAt(Index), Event, From};
  for (const HomeRow &R : N.Rules->Home.rows(B.State, Event)) {
    if (!holds(R.When, O))
      continue;
    count(N, Event, R);
    B.State = R.Next;
    bool Resumed = false;
    for (HomeAction A : R.Actions) {
      perform(A, O);
      Resumed |= A == HomeAction::Resume;
    }
    return Resumed;
  }
  impossible(HomeEventNames[size_t(Event)], HomeStateNames[size_t(B.State)],
             O.Address, From);
}

/// What the state permits of what is deferred.
void settle(Node &N, HomePage &P, unsigned Index, bool Resumed) {
  HomeBlock &B = P.blocks()[Index];
  while (B.First && isStable(B.State) && !Resumed) {
    Deferred D = takeDeferred(N, B);
    Resumed = step(N, P, Index, D.Event, D.Requester);
  }
  if (B.First && isStable(B.State)) {
    B.ReplayPosted = true;
    send(N, unsigned(N.Self), Kind::Replay, {P.blockAt(Index)});
  }
}

} // namespace

void replay(Node &N, HomePage &P, unsigned Index) {
  P.blocks()[Index].ReplayPosted = false;
  settle(N, P, Index, false);
}

void raise(Node &N, HomePage &P, unsigned Index, HomeEvent Event,
           unsigned From) {
  HomeBlock &B = P.blocks()[Index];
  bool Resumed = step(N, P, Index, Event, From);
  if (P.Evacuating && B.State == HomeState::Exclusive)
    return evacuate(N, P);
  if (B.First && !B.ReplayPosted)
    settle(N, P, Index, Resumed);
}

} // namespace graupel::dsm::stache
