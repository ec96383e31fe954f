//===- Stache/Cache.cpp - Blocks on other nodes than their home -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the CACHE rows of the table. Each action is a line of what is announced
// in Transitions.def; none changes a state.
//
//===----------------------------------------------------------------------===//

#include "Stache/Node.h"

namespace graupel::dsm::stache {

namespace {

/// One event at one block.
struct Occasion {
  Node &N;
  uintptr_t Address;
  size_t Size;
  CacheEvent Event;
  unsigned Home;

  void *block() const { return pointer(Address); }
};

bool holds(Guard When, const Occasion &O) {
  switch (When) {
  case Guard::Always:
    return true;
  case Guard::Held:
    return tempest_is_held(O.block());
  case Guard::Free:
    return !tempest_is_held(O.block());
  default:
    return false;
  }
}

/// Contents that have just arrived, with the tag, and then the threads.
void fill(const Occasion &O, tempest_change Change) {
  tempest_get_blocks(O.block(), O.Size, Change);
  tempest_resume(O.block(), O.Size);
}

void ask(const Occasion &O, Kind K, uint64_t &Count) {
  send(O.N, O.Home, K, {O.Address});
  ++Count;
}

void giveBack(const Occasion &O, tempest_change Change) {
  tempest_message M;
  tempest_begin(&M, int(O.Home), O.N.Handlers[size_t(Kind::WriteBack)]);
  tempest_put_word(&M, O.Address);
  tempest_put_blocks(&M, O.block(), O.Size, Change);
  tempest_send(&M);
}

void perform(CacheAction A, const Occasion &O) {
  graupel_dsm_stache_counts &Counts = O.N.Counts;
  switch (A) {
  case CacheAction::None:
  case CacheAction::Join:
    return;
  case CacheAction::AskRO:
    tempest_change_blocks(O.block(), O.Size, TEMPEST_INVALID_TO_BUSY);
    return ask(O, Kind::GetRO, Counts.GetRO);
  case CacheAction::AskRW:
    tempest_change_blocks(O.block(), O.Size, TEMPEST_INVALID_TO_BUSY);
    return ask(O, Kind::GetRW, Counts.GetRW);
  case CacheAction::AskUpgrade:
    return ask(O, Kind::Upgrade, Counts.Upgrades);
  case CacheAction::FillRO:
    return fill(O, TEMPEST_BUSY_TO_READ_ONLY);
  case CacheAction::FillRW:
    return fill(O, TEMPEST_BUSY_TO_READ_WRITE);
  case CacheAction::Promote:
    tempest_change_blocks(O.block(), O.Size, TEMPEST_READ_ONLY_TO_READ_WRITE);
    return tempest_resume(O.block(), O.Size);
  case CacheAction::Drop:
    return tempest_change_blocks(O.block(), O.Size,
                                 TEMPEST_READ_ONLY_TO_INVALID);
  case CacheAction::DropToBusy:
    tempest_change_blocks(O.block(), O.Size, TEMPEST_READ_ONLY_TO_INVALID);
    return tempest_change_blocks(O.block(), O.Size, TEMPEST_INVALID_TO_BUSY);
  case CacheAction::SendAck:
    return send(O.N, O.Home, Kind::Ack, {O.Address});
  case CacheAction::GiveBack:
    return giveBack(O, TEMPEST_READ_WRITE_TO_INVALID);
  case CacheAction::ShareBack:
    return giveBack(O, TEMPEST_READ_WRITE_TO_READ_ONLY);
  case CacheAction::Retry:
    return tempest_resume(O.block(), O.Size);
  case CacheAction::Hold:
    O.N.StalledEvents.push_back(
        {Node::Stalled::Cached, O.Event, uint8_t(O.Home), O.Address});
    ++Counts.Stalled;
    return;
  case CacheAction::Count:
    break;
  }
}

void count(Node &N, CacheEvent Event, const CacheRow &R) {
  if (R.Actions[0] == CacheAction::Retry)
    return;
  if (Event == CacheEvent::Load)
    ++N.Counts.LoadFaults;
  if (Event == CacheEvent::Store)
    ++N.Counts.StoreFaults;
}

} // namespace

void raise(Node &N, CachedPage &P, unsigned Index, CacheEvent Event,
           unsigned Home) {
  CacheState &State = P.blocks()[Index];
  Occasion O{N, P.blockAt(Index), P.BlockSize, Event, Home};
  for (const CacheRow &R : N.Rules->Cache.rows(State, Event)) {
    if (!holds(R.When, O))
      continue;
    count(N, Event, R);
    State = R.Next;
    for (CacheAction A : R.Actions)
      perform(A, O);
    return;
  }
  impossible(CacheEventNames[size_t(Event)], CacheStateNames[size_t(State)],
             O.Address, Home);
}

} // namespace graupel::dsm::stache
